extension KeyedArray: Equatable where Element: Equatable {
  /// Returns whether both collections have equal elements, under the same ids, in the same order.
  ///
  /// - Complexity: O(d log n) for d elements that differ in order or memory, if one version was made from the
  ///   other, or both from a third. O(n) if they are unrelated.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    var comparison = OrderComparison(old: left.order, new: right.order)
    return isEqual(&comparison)
  }

  static func isEqual(_ comparison: inout OrderComparison) -> Bool {
    comparison.isEqual { left, right in
      guard left.hash == right.hash else { return false }
      let (left, right) = (left.item(of: Element.self), right.item(of: Element.self))
      return left.id == right.id && left.isEqual(to: right)
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
  /// Makes a collection of the elements of a literal. Traps if two elements have the same id.
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}

extension KeyedArray: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The elements in order, as an array prints them.
  public var description: String { Array(self).description }

  /// The elements in order, in the form `KeyedArray([…])`.
  public var debugDescription: String { "KeyedArray(\(Array(self).debugDescription))" }

  /// The elements in order.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
