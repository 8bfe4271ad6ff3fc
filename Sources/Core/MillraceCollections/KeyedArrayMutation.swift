// Changing elements in place.

extension KeyedArray {
  /// The element with this id; `nil` if there is none. O(log n)
  public subscript(id id: Element.ID) -> Element? {
    slot(of: id)?.item(of: Element.self).element
  }

  /// The element with this id; `nil` if there is none. Setting it changes, inserts or removes the element.
  ///
  /// ```swift
  /// rows[id: 3]?.title = "changed"  // in place; does nothing if there is no such row
  /// rows[id: 4] = Row(id: 4, title: "new")  // replaces the element, or appends it
  /// rows[id: 7] = nil  // removes the element
  /// ```
  ///
  /// - Precondition: a new element has this id. Otherwise the program traps with both ids and the caller's file and
  ///   line.
  /// - Complexity: O(log n). The element is copied only if another version of the collection contains it.
  public subscript(
    id id: Element.ID, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Element? {
    get { slot(of: id)?.item(of: Element.self).element }
    _modify {
      let present = changeableItem(of: id)
      var element = present?.item.take()
      // Runs even if the caller's access ends with an error.
      defer {
        if let (item, label) = present {
          if let changed = element.take() {
            item.put(changed)
            Self.checkID(item.id, is: id, fileID, line)
          } else {
            removeItem(at: order.position(of: label))
          }
        } else if let new = element.take() {
          Self.checkID(new.id, is: id, fileID, line)
          insertItem(Item.make(new), hash: id.hashValue, at: count)
        }
      }
      yield &element
    }
  }

  /// Changes the element with this id in place.
  ///
  /// - Precondition: `body` does not change the id. Otherwise the program traps with both ids and the caller's file
  ///   and line.
  /// - Returns: the result of `body`; `nil` if there is no such element.
  /// - Complexity: O(log n). The element is copied only if another version of the collection contains it.
  @discardableResult
  public mutating func mutate<Result, Failure: Error>(
    id: Element.ID, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let (item, _) = changeableItem(of: id) else { return nil }
    defer { Self.checkID(item.id, is: id, fileID, line) }
    return try item.change(body)
  }

  /// Changes every element in place, in order. If `body` throws, the elements that it has already changed stay
  /// changed.
  ///
  /// - Precondition: `body` does not change the ids. Otherwise the program traps with both ids and the caller's file
  ///   and line.
  /// - Complexity: O(n). An element is copied only if another version of the collection contains it.
  public mutating func mutateEach<Failure: Error>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    guard !isEmpty else { return }
    Revision.allChange(in: &revision)
    try order.changeableRoot().forEachChangeableLeaf { (leaf) throws(Failure) in
      for index in 0..<leaf.slotCount {
        let item = leaf.changeableItem(at: index, of: Element.self)
        let id = item.id
        defer { Self.checkID(item.id, is: id, fileID, line) }
        try item.change(body)
      }
    }
  }

  /// The item of the element with this id, made changeable, and its label. Logs the change. O(log n)
  mutating func changeableItem(of id: Element.ID) -> (item: Item<Element>, label: UInt64)? {
    let hash = id.hashValue
    let label: UInt64
    switch index.labels(for: hash) {
    case .none: return nil
    case .one(let only): label = only
    case .many:
      guard let slot = slot(of: id) else { return nil }
      label = slot.label
    }
    // If only another id has this hash, this copies a path and an element needlessly, which is harmless.
    let (leaf, index) = order.changeableLeaf(label: label)
    let item = leaf.changeableItem(at: index, of: Element.self)
    guard item.id == id else { return nil }
    logChange(hash)
    return (item, label)
  }

  static func checkID(_ id: Element.ID, is expected: Element.ID, _ fileID: StaticString, _ line: UInt) {
    guard id != expected else { return }
    // Otherwise the element would be found by an id that it no longer has.
    fatalError(
      "the element with the id \(expected) of a KeyedArray was given the id \(id)", file: fileID, line: line)
  }
}
