extension KeyedArray: Equatable where Element: Equatable {
  /// Whether both have equal elements, under the same ids, in the same order.
  ///
  /// - Complexity: O(d log n) for d elements that differ in place or memory, where one version was made from
  ///   the other, or both from a third. O(n) where they have nothing to do with each other.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    var comparison = OrderComparison(old: left.order, new: right.order)
    return isEqual(&comparison)
  }

  static func isEqual(_ comparison: inout OrderComparison) -> Bool {
    comparison.isEqual { left, right in
      guard left.pointee.hash == right.pointee.hash else { return false }
      let (left, right) = (left.pointee.element(of: Element.self), right.pointee.element(of: Element.self))
      return left.id == right.id && UnsafePointer(left).isEqual(to: UnsafePointer(right))
    }
  }
}

extension KeyedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order. O(n)
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension KeyedArray: ExpressibleByArrayLiteral {
  /// Makes a collection of the elements of a literal. No two may have one id: it traps.
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}

extension KeyedArray: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The elements in order, as an array prints them.
  public var description: String { Array(self).description }

  /// The elements in order, as an array prints them.
  public var debugDescription: String { "KeyedArray(\(Array(self).debugDescription))" }

  /// The elements in order.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
