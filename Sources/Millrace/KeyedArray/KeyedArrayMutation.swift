// Changing elements where they are.

extension KeyedArray {
  /// The element with this id, nil where there is none. O(log n)
  public subscript(id id: Element.ID) -> Element? {
    withElement(id: id) { $0.pointee }
  }

  /// The element with this id, nil where there is none, for changing it.
  ///
  /// ```swift
  /// rows[id: 3]?.title = "changed"   // in place; nothing happens where there is no such row
  /// rows[id: 4] = Row(id: 4, title: "new")  // replaces the element in its place, or appends it
  /// rows[id: 7] = nil                // removes the element
  /// ```
  ///
  /// What is put in must have this id: another is a mistake in the program, which traps with both ids and the
  /// caller's file and line.
  ///
  /// - Complexity: O(log n). The element itself is copied only where another version of the collection holds
  ///   it.
  public subscript(
    id id: Element.ID, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Element? {
    get { withElement(id: id) { $0.pointee } }
    _modify {
      let slot = uniqueSlot(of: id)
      slot?.pointee.makeItemUnique()
      let item = slot?.pointee.item ?? Item.makeEmpty(Element.self)
      // Also where the caller's access ends by an error.
      defer {
        // What mostly is so is found out without the collection's type, which generic code would look up here.
        if slot == nil || !item.holds(Element.self, id: id) { settle(item, slot, id, fileID, line) }
      }
      yield &item.optional(of: Element.self).pointee
    }
  }

  /// Does what lending an item has come to; `slot` is that where it lies, nil for a new one.
  private mutating func settle(
    _ item: Item, _ slot: UnsafeMutablePointer<OrderSlot>?, _ id: Element.ID, _ fileID: StaticString,
    _ line: UInt
  ) {
    if item.holds(none: Element.self) {
      if let slot { removeItem(at: order.position(of: slot.pointee.place)) }
      return
    }
    let settled = slot?.pointee ?? OrderSlot(place: 0, hash: id.hashValue, item: item)
    Self.checkID(settled.element(of: Element.self).id, is: id, fileID, line)
    if slot == nil { insertItem(item, hash: settled.hash, at: count) }
  }

  /// Changes the element with this id in place, and returns what `body` returns; nil where there is no such
  /// element.
  ///
  /// `body` must leave the id as it is: another is a mistake in the program, which traps with both ids and
  /// the caller's file and line.
  ///
  /// - Complexity: O(log n). The element itself is copied only where another version of the collection holds
  ///   it.
  @discardableResult
  public mutating func mutate<Result, Failure: Error>(
    id: Element.ID, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let slot = uniqueSlot(of: id) else { return nil }
    slot.pointee.makeItemUnique()
    let element = slot.pointee.element(of: Element.self)
    defer { Self.checkID(element.id, is: id, fileID, line) }
    return try body(&element.pointee)
  }

  /// Changes every element in place, in order.
  ///
  /// `body` must leave the ids as they are: another is a mistake in the program, which traps with both ids
  /// and the caller's file and line. Where `body` throws, the elements before have been changed.
  ///
  /// - Complexity: O(n). Elements are copied only where another version of the collection holds them.
  public mutating func mutateEach<Failure: Error>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    guard order.root != nil else { return }
    Revision.allChange(in: &revision)
    try OrderNode.unique(&order.root!).forEachUniqueSlot { (slot) throws(Failure) in
      slot.pointee.makeItemUnique()
      let element = slot.pointee.element(of: Element.self)
      let id = element.id
      defer { Self.checkID(element.id, is: id, fileID, line) }
      try body(&element.pointee)
    }
  }

  /// The slot of the element with this id, on a path that nobody else holds. Valid until the next change.
  mutating func uniqueSlot(of id: Element.ID) -> UnsafeMutablePointer<OrderSlot>? {
    let hash = id.hashValue
    let place: UInt64
    switch index.places(for: hash) {
    case .none: return nil
    case .one(let only): place = only
    case .many:
      guard let slot = slot(of: id) else { return nil }
      place = slot.pointee.place
    }
    guard let slot = uniqueSlot(at: place, ifOf: id) else { return nil }
    elementChanges(hash)
    return slot
  }

  /// Where the hash was right but the id is not, a path has been copied for nothing, which does no harm.
  private mutating func uniqueSlot(at place: UInt64, ifOf id: Element.ID) -> UnsafeMutablePointer<OrderSlot>?
  {
    let slot = order.uniqueSlot(atPlace: place)
    return slot.pointee.element(of: Element.self).id == id ? slot : nil
  }

  static func checkID(_ id: Element.ID, is expected: Element.ID, _ fileID: StaticString, _ line: UInt) {
    guard id != expected else { return }
    // Going on would leave an element that is found under an id that it does not have.
    fatalError(
      "the element with the id \(expected) of a KeyedArray was given the id \(id)", file: fileID, line: line)
  }
}
