// Changing the order.

extension KeyedArray {
  /// Moves the element with this id to `position`.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Returns: whether there is such an element.
  /// - Complexity: O(log n), amortised over many moves to one position. No element is copied.
  @discardableResult
  public mutating func move(
    id: Element.ID, to position: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    guard let source = index(id: id) else { return false }
    checkPosition(position, upTo: count - 1, fileID, line)
    guard source != position else { return true }
    let slot = removeItem(at: source)
    insertItem(slot.item(of: Element.self), hash: slot.hash, at: position)
    return true
  }

  /// Moves the elements at `offsets`, in their order, before the element at `destination`, or to the end if
  /// `destination` is `count`. All positions are those before the move, as in a list view's `onMove`.
  ///
  /// - Precondition: the offsets are in `0..<count`, and `destination` in `0...count`.
  /// - Complexity: O(log n) for each offset. No element is copied.
  public mutating func move(
    fromOffsets offsets: some Sequence<Int>, toOffset destination: Int,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    checkPosition(destination, upTo: count, fileID, line)
    let offsets = Set(offsets).sorted()
    for offset in offsets { checkPosition(offset, upTo: count - 1, fileID, line) }
    let moved = offsets.reversed().map { removeItem(at: $0) }
    let target = destination - offsets.count { $0 < destination }
    // Inserts the last element first, so that each is inserted before its successor.
    for slot in moved { insertItem(slot.item(of: Element.self), hash: slot.hash, at: target) }
  }

  /// Removes the elements at `offsets`, which are positions before the removal, as in a list view's `onDelete`.
  ///
  /// - Precondition: the offsets are in `0..<count`.
  /// - Complexity: O(log n) for each offset.
  public mutating func remove(
    atOffsets offsets: some Sequence<Int>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let offsets = Set(offsets).sorted()
    for offset in offsets { checkPosition(offset, upTo: count - 1, fileID, line) }
    for offset in offsets.reversed() { removeItem(at: offset) }
  }

  /// Sorts the elements. The sort is stable: elements that compare as equal keep their order. If `isBefore` throws, the
  /// order is unchanged.
  ///
  /// - Complexity: O(n log n), and O(log n) for each element whose position changes. No element is copied;
  ///   elements that keep their position stay shared with other versions.
  public mutating func sort(by isBefore: (Element, Element) throws -> Bool) rethrows {
    let slots = order.allSlots()
    let sorted = try slots.sorted { left, right in
      try left.item(of: Element.self).read(with: right.item(of: Element.self)) { try isBefore($0, $1) }
    }
    rearrange(from: 0, sorted, slots.map(\.label))
  }

  /// Reverses the order of the elements.
  ///
  /// - Complexity: O(n log n). No element is copied.
  public mutating func reverse() {
    let slots = order.allSlots()
    rearrange(from: 0, slots.reversed(), slots.map(\.label))
  }
}
