// Inserting and removing.

extension KeyedArray {
  /// Adds an element behind all others. Where one with its id is there already, changes nothing and returns
  /// false.
  ///
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    insert(element, at: count)
  }

  /// Inserts an element before the one at `position`, or at the end where that is `count`.
  ///
  /// Where one with its id is there already, changes nothing and returns false. To replace it, use
  /// ``update(_:)``.
  ///
  /// - Precondition: `position` is in `0...count`.
  /// - Complexity: O(log n), amortised over many insertions at one spot.
  @discardableResult
  public mutating func insert(
    _ element: Element, at position: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    checkPosition(position, upTo: count, fileID, line)
    guard !contains(id: element.id) else { return false }
    insertItem(Item.make(element), hash: element.id.hashValue, at: position)
    return true
  }

  /// Puts an element in the place of the one with its id, which is returned; appends it where there is none.
  ///
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func update(_ element: Element) -> Element? {
    guard let item = ownItem(of: element.id) else {
      append(element)
      return nil
    }
    var other = element
    withExtendedLifetime(item) { swap(&item.element(of: Element.self).pointee, &other) }
    return other
  }

  /// Removes the element with this id and returns it; nil where there is none.
  ///
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let position = index(id: id) else { return nil }
    return Self.element(of: removeItem(at: position))
  }

  /// Removes the element at `position` and returns it.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func remove(
    at position: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Element {
    checkPosition(position, upTo: count - 1, fileID, line)
    return Self.element(of: removeItem(at: position))
  }

  /// Removes every element that satisfies `isRemoved`. Where it throws, nothing has been removed.
  ///
  /// - Complexity: O(n) for looking, and O(log n) for each element removed.
  public mutating func removeAll<Failure: Error>(
    where isRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let slots = order.allSlots()
    var positions: [Int] = []
    for (position, slot) in slots.enumerated()
    where try isRemoved(slot.element(of: Element.self).pointee) {
      positions.append(position)
    }
    for position in positions.reversed() { removeItem(at: position) }
  }

  /// Removes all elements. O(n), or O(1) where another version holds them.
  public mutating func removeAll() { self = KeyedArray() }

  // MARK: Items

  /// Inserts an item whose id is not there.
  mutating func insertItem(_ item: AnyObject, hash: Int, at position: Int) {
    let place = placeForInsertion(at: position)
    elementChanges(hash)
    index.insert(place, for: hash)
    order.insert(OrderSlot(place: place, hash: hash, item: item), at: position)
    if index.hasEqualHashes { order.forgetItems() }
  }

  @discardableResult
  mutating func removeItem(at position: Int) -> OrderSlot {
    let slot = order.remove(at: position)
    index.remove(slot.place, for: slot.hash)
    elementChanges(slot.hash)
    return slot
  }

  private static func element(of slot: OrderSlot) -> Element {
    defer { withExtendedLifetime(slot) {} }
    return slot.element(of: Element.self).pointee
  }

  private mutating func placeForInsertion(at position: Int) -> UInt64 {
    while true {
      let before = position > 0 ? order.slot(at: position - 1).pointee.place : nil
      let after = position < count ? order.slot(at: position).pointee.place : nil
      if let place = Places.between(before, after) { return place }
      let (start, places) = Places.spread(around: before ?? after!, in: order)
      rearrange(from: start, places.indices.map { order.slot(at: start + $0).pointee }, places)
    }
  }

  /// Puts the items of `slots`, which lie at the positions from `start` on, into this order, at these places.
  mutating func rearrange(from start: Int, _ slots: [OrderSlot], _ places: [UInt64]) {
    var rearranged = slots
    for (offset, slot) in slots.enumerated() where slot.place != places[offset] {
      // Entries of one hash differ by nothing but their place, so it does not matter that two may meanwhile
      // be equal.
      index.replace(slot.place, with: places[offset], for: slot.hash)
      rearranged[offset].place = places[offset]
    }
    order.replaceItems(from: start, with: rearranged)
  }

  func checkPosition(_ position: Int, upTo end: Int, _ fileID: StaticString, _ line: UInt) {
    guard position < 0 || position > end else { return }
    // As an array does, and named in a release build too.
    fatalError("position \(position) is not in a KeyedArray of \(count) elements", file: fileID, line: line)
  }
}
