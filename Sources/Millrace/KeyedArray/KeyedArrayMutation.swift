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
      let own = ownItem(of: id)
      let item = own ?? Item.makeEmpty(Element.self)
      // Also where the caller's access ends by an error.
      defer {
        // What mostly is so is found out without the collection's type, which generic code would look up here.
        if own == nil || !item.holds(Element.self, id: id) {
          settle(item, isNew: own == nil, id, fileID, line)
        }
      }
      yield &item.optional(of: Element.self).pointee
    }
  }

  /// Does what lending an item has come to.
  private mutating func settle(
    _ item: Item, isNew: Bool, _ id: Element.ID, _ fileID: StaticString, _ line: UInt
  ) {
    let hash = id.hashValue
    if item.holds(none: Element.self) {
      if !isNew { removeItem(at: order.position(of: place(of: item, hash: hash))) }
      return
    }
    Self.checkID(item.element(of: Element.self).id, is: id, fileID, line)
    if isNew { insertItem(item, hash: hash, at: count) }
  }

  /// The place of an item that is there.
  private func place(of item: Item, hash: Int) -> UInt64 {
    switch index.places(for: hash) {
    case .one(let place): return place
    case .many(let places): return places.first { order.slot(atPlace: $0)!.pointee.object === item }!
    case .none: preconditionFailure("it is there")
    }
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
    guard let item = ownItem(of: id) else { return nil }
    let element = item.element(of: Element.self)
    defer { withExtendedLifetime(item) { Self.checkID(element.id, is: id, fileID, line) } }
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
    let root = order.uniqueRoot()
    root.forgetItems()
    try root.forEachUniqueSlot { (slot) throws(Failure) in
      slot.pointee.makeItemUnique()
      let element = slot.pointee.element(of: Element.self)
      let id = element.id
      defer { Self.checkID(element.id, is: id, fileID, line) }
      try body(&element.pointee)
    }
  }

  /// The item of the element with this id, which nobody else has, nor anything above it, so that it may be changed. That it
  /// is changed is noted.
  mutating func ownItem(of id: Element.ID) -> Item? {
    let hash = id.hashValue
    let known = order.ownItem(hash: hash) { $0.element(of: Element.self).id == id }
    guard let item = known ?? madeOwn(id, hash) else { return nil }
    elementChanges(hash)
    return item
  }

  /// The same, made so.
  private mutating func madeOwn(_ id: Element.ID, _ hash: Int) -> Item? {
    let place: UInt64
    switch index.places(for: hash) {
    case .none: return nil
    case .one(let only): place = only
    case .many:
      guard let slot = slot(of: id) else { return nil }
      place = slot.pointee.place
    }
    // Where the hash was right but the id is not, a path is copied for nothing, which does no harm.
    let (leaf, position) = order.uniqueLeaf(atPlace: place)
    let slot = leaf.slots + position
    if slot.pointee.element(of: Element.self).id != id { return nil }
    slot.pointee.makeItemUnique()
    if !index.hasEqualHashes { order.leafIsOwn(leaf) }
    return slot.pointee.item
  }

  static func checkID(_ id: Element.ID, is expected: Element.ID, _ fileID: StaticString, _ line: UInt) {
    guard id != expected else { return }
    // Going on would leave an element that is found under an id that it does not have.
    fatalError(
      "the element with the id \(expected) of a KeyedArray was given the id \(id)", file: fileID, line: line)
  }
}
