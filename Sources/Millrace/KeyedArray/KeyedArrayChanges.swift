// What differs between two versions.

extension KeyedArray {
  /// One element's difference between two versions of a collection.
  public enum Change {
    /// The element is in the new version only.
    case inserted(Element)
    /// The element is in the old version only.
    case removed(Element)
    /// The element is in both, and differs.
    case updated(from: Element, to: Element)
  }

  /// What differs, by address, valid during the call that hands it over.
  package enum PossibleChange {
    /// The element is in the new version only.
    case inserted(UnsafePointer<Element>)
    /// The element is in the old version only.
    case removed(UnsafePointer<Element>)
    /// The element is in both, and has been touched: it may differ.
    case touched(from: UnsafePointer<Element>, to: UnsafePointer<Element>)
  }

  /// Calls `body` with every element that was inserted, removed or touched between an old version and this
  /// one, once for each id, copying none. The order of the calls is not promised. An element that was only
  /// moved is not reported.
  ///
  /// - Complexity: O(d log n) for d elements that differ in membership, place or memory, where one version
  ///   was made from the other, or both from a third. O(n) where they have nothing to do with each other.
  package func forEachPossibleChange(since old: Self, _ body: (PossibleChange) -> Void) {
    var comparison = OrderComparison(old: old.order, new: order)
    forEachPossibleChange(since: old, &comparison, body)
  }

  func forEachPossibleChange(
    since old: Self, _ comparison: inout OrderComparison, _ body: (PossibleChange) -> Void
  ) {
    comparison.forEachDifference { oldSlot, newSlot in
      let left = oldSlot?.pointee.element(of: Element.self)
      let right = newSlot?.pointee.element(of: Element.self)
      if let left, let right, oldSlot!.pointee.hash == newSlot!.pointee.hash, left.id == right.id {
        return body(.touched(from: UnsafePointer(left), to: UnsafePointer(right)))
      }
      // An element in both versions is met at its old place and at its new one: the old one counts.
      if let left {
        if let element = slot(of: left.id)?.pointee.element(of: Element.self) {
          if left != element { body(.touched(from: UnsafePointer(left), to: UnsafePointer(element))) }
        } else {
          body(.removed(UnsafePointer(left)))
        }
      }
      if let right, !old.contains(id: right.id) { body(.inserted(UnsafePointer(right))) }
    }
  }

  /// Whether both have the same ids in the same order. The elements may differ.
  ///
  /// - Complexity: O(d log n) for d elements that differ in membership, place or content, where one version
  ///   was made from the other, or both from a third. O(n) where they have nothing to do with each other.
  public func isOrderEqual(to other: Self) -> Bool {
    guard count == other.count else { return false }
    var comparison = OrderComparison(old: other.order, new: order)
    return Self.isOrderEqual(&comparison)
  }

  static func isOrderEqual(_ comparison: inout OrderComparison) -> Bool {
    comparison.isEqual { left, right in
      left.pointee.hash == right.pointee.hash
        && left.pointee.element(of: Element.self).id == right.pointee.element(of: Element.self).id
    }
  }
}

extension KeyedArray where Element: Equatable {
  /// Calls `body` with every element that was inserted, removed or changed between an old version and this
  /// one, once for each id. The order of the calls is not promised. An element that was only moved is not
  /// reported; whether any was is known from ``isOrderEqual(to:)``.
  ///
  /// ```swift
  /// let before = rows
  /// rows[id: 3]?.title = "changed"
  /// rows.forEachChange(since: before) { change in
  ///   if case .updated(_, let row) = change { print(row.title) }  // changed
  /// }
  /// ```
  ///
  /// - Complexity: O(d log n) for d elements that differ in membership, place or content, where one version
  ///   was made from the other, or both from a third. O(n) where they have nothing to do with each other.
  public func forEachChange(since old: Self, _ body: (Change) -> Void) {
    forEachPossibleChange(since: old) { change in
      switch change {
      case .inserted(let element): body(.inserted(element.pointee))
      case .removed(let element): body(.removed(element.pointee))
      case .touched(let from, let to):
        if !from.isEqual(to: to) { body(.updated(from: from.pointee, to: to.pointee)) }
      }
    }
  }
}

extension KeyedArray.Change: Sendable {}
extension KeyedArray.Change: Equatable where Element: Equatable {}
extension KeyedArray.Change: Hashable where Element: Hashable {}
