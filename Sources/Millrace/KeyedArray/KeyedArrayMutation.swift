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
  /// What is put in must have this id: another is a mistake in the program, which traps with both ids and the caller's
  /// file and line.
  ///
  /// - Complexity: O(log n). The element itself is copied only where another version of the collection holds it.
  public subscript(
    id id: Element.ID, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Element? {
    get { withElement(id: id) { $0.pointee } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      Self.checkID(newValue.id, is: id, fileID, line)
      update(newValue)
    }
    _modify {
      let found = uniqueItem(id: id)
      var element = found?.item.takeElement()
      // Also where the caller's access ends by an error.
      defer {
        if let element { Self.checkID(element.id, is: id, fileID, line) }
        switch (found, element) {
        case (let found?, let element?): found.item.putElement(element)
        case (let found?, nil): removeItem(at: order.position(of: found.place))
        case (nil, let element?): append(element)
        case (nil, nil): break
        }
      }
      yield &element
    }
  }

  /// Changes the element with this id in place, and returns what `body` returns; nil where there is no such element.
  ///
  /// `body` must leave the id as it is: another is a mistake in the program, which traps with both ids and the
  /// caller's file and line.
  ///
  /// - Complexity: O(log n). The element itself is copied only where another version of the collection holds it.
  @discardableResult
  public mutating func mutate<Result, Failure: Error>(
    id: Element.ID, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let element = uniqueItem(id: id)?.item.element else { return nil }
    defer { Self.checkID(element.pointee.id, is: id, fileID, line) }
    return try body(&element.pointee)
  }

  /// Changes every element in place, in order.
  ///
  /// `body` must leave the ids as they are: another is a mistake in the program, which traps with both ids and the
  /// caller's file and line. Where `body` throws, the elements before have been changed.
  ///
  /// - Complexity: O(n). Elements are copied only where another version of the collection holds them.
  public mutating func mutateEach<Failure: Error>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    guard order.root != nil else { return }
    try OrderNode.unique(&order.root!).forEachUniqueSlot { (slot) throws(Failure) in
      let element = Self.uniqueItem(&slot.pointee).element
      let id = element.pointee.id
      defer { Self.checkID(element.pointee.id, is: id, fileID, line) }
      try body(&element.pointee)
    }
  }

  /// The item of the element with this id, held by nobody else, and its place.
  private mutating func uniqueItem(id: Element.ID) -> (place: UInt64, item: Item<Element>)? {
    guard let place = place(of: id) else { return nil }
    return (place, Self.uniqueItem(&order.uniqueSlot(atPlace: place).pointee))
  }

  /// The slot's item, held by nobody else. The slot's node is unique.
  private static func uniqueItem(_ slot: inout OrderSlot) -> Item<Element> {
    slot.withReference(to: Item<Element>.self) { item in
      if !isKnownUniquelyReferenced(&item) { item = item.copy() }
      return item
    }
  }

  static func checkID(_ id: Element.ID, is expected: Element.ID, _ fileID: StaticString, _ line: UInt) {
    guard id != expected else { return }
    // Going on would leave an element that is found under an id that it does not have.
    fatalError(
      "the element with the id \(expected) of a KeyedArray was given the id \(id)", file: fileID, line: line)
  }
}
