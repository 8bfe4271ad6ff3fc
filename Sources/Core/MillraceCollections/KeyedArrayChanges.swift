// The differences between two versions of a keyed array.

extension KeyedArray {
  /// A difference of one element between two versions of a collection.
  public enum Change {
    /// The element is in the new version only.
    case inserted(Element)
    /// The element is in the old version only.
    case removed(Element)
    /// The element is in both versions, and differs.
    case updated(from: Element, to: Element)
  }

  /// A possible difference of one element, by address; the addresses are valid until the closure returns.
  package enum PossibleChange {
    /// The element is in the new version only.
    case inserted(UnsafePointer<Element>)
    /// The element is in the old version only.
    case removed(UnsafePointer<Element>)
    /// The element is in both versions, but in different memory: it may differ.
    case touched(from: UnsafePointer<Element>, to: UnsafePointer<Element>)
  }

  /// Calls `body` with each element that may have been inserted, removed or changed between an old version and this
  /// one, once per id. The order of the calls is unspecified. An element that was only moved is not reported; see
  /// ``isOrderEqual(to:)``.
  ///
  /// - Complexity: O(d log n) for d elements that differ in membership, order or memory, if one version
  ///   was made from the other, or both from a third. O(n) if they are unrelated.
  package func forEachPossibleChange(since old: Self, _ body: (PossibleChange) -> Void) {
    var comparison = OrderComparison(old: old.order, new: order)
    forEachPossibleChange(since: old, &comparison, body)
  }

  /// Returns the ids of the elements touched since another revision; `nil` if they are unknown, or an element was
  /// removed.
  package func idsTouched(since former: Revision) -> [Element.ID]? {
    guard let revision else { return nil }
    if revision === former { return [] }
    var (ids, isComplete): ([Element.ID], Bool) = ([], true)
    let isKnown = revision.forEachHashTouched(since: former) { hash in
      if let element = onlyElement(hash: hash) { ids.append(element.pointee.id) } else { isComplete = false }
    }
    return isKnown && isComplete ? ids : nil
  }

  func forEachPossibleChange(
    since old: Self, _ comparison: inout OrderComparison, _ body: (PossibleChange) -> Void
  ) {
    func report(_ left: Item<Element>, _ right: Item<Element>) {
      left.withAddress { left in right.withAddress { body(.touched(from: left, to: $0)) } }
    }
    comparison.forEachDifference { oldSlot, newSlot in
      let left = oldSlot?.item(of: Element.self)
      let right = newSlot?.item(of: Element.self)
      if let left, let right, oldSlot!.hash == newSlot!.hash, left.id == right.id {
        return report(left, right)
      }
      // An element in both versions may have an old label and a new one. It is reported at the old one.
      if let left {
        if let item = slot(of: left.id)?.item(of: Element.self) {
          if left !== item { report(left, item) }
        } else {
          left.withAddress { body(.removed($0)) }
        }
      }
      if let right, !old.contains(id: right.id) { right.withAddress { body(.inserted($0)) } }
    }
  }

  /// Returns whether both collections have the same ids in the same order. The elements may differ.
  ///
  /// - Complexity: O(d log n) for d elements that differ in membership, order or content, if one version
  ///   was made from the other, or both from a third. O(n) if they are unrelated.
  public func isOrderEqual(to other: Self) -> Bool {
    guard count == other.count else { return false }
    var comparison = OrderComparison(old: other.order, new: order)
    return Self.isOrderEqual(&comparison)
  }

  static func isOrderEqual(_ comparison: inout OrderComparison) -> Bool {
    comparison.isEqual { left, right in
      left.hash == right.hash && left.item(of: Element.self).id == right.item(of: Element.self).id
    }
  }
}

extension KeyedArray where Element: Equatable {
  /// Calls `body` with each element that was inserted, removed or changed between an old version and this one, once per
  /// id. The order of the calls is unspecified. An element that was only moved is not reported; see
  /// ``isOrderEqual(to:)``.
  ///
  /// ```swift
  /// let before = rows
  /// rows[id: 3]?.title = "changed"
  /// rows.forEachChange(since: before) { change in
  ///   if case .updated(_, let row) = change { print(row.title) }  // changed
  /// }
  /// ```
  ///
  /// - Complexity: O(d log n) for d elements that differ in membership, order or content, if one version
  ///   was made from the other, or both from a third. O(n) if they are unrelated.
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
