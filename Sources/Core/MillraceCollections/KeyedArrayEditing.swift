// Inserting and removing.

extension KeyedArray {
  /// Appends an element. If the collection already has an element with its id, changes nothing.
  ///
  /// - Returns: whether the element was appended.
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    insert(element, at: count)
  }

  /// Inserts an element before the one at `position`, or at the end if `position` is `count`. If the collection
  /// already has an element with its id, changes nothing; to replace that element, use ``updateOrAppend(_:)``.
  ///
  /// - Precondition: `position` is in `0...count`.
  /// - Returns: whether the element was inserted.
  /// - Complexity: O(log n), amortised over many insertions at one position.
  @discardableResult
  public mutating func insert(
    _ element: Element, at position: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    checkPosition(position, upTo: count, fileID, line)
    guard !contains(id: element.id) else { return false }
    insertItem(Item.make(element), hash: element.id.hashValue, at: position)
    return true
  }

  /// Replaces the element with the same id, or appends the element if there is none.
  ///
  /// - Returns: the replaced element, if there was one.
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let (item, _) = changeableItem(of: element.id) else {
      append(element)
      return nil
    }
    var other = element
    item.change { swap(&$0, &other) }
    return other
  }

  /// Unavailable: the method is named `updateOrAppend(_:)`, since it also appends.
  @available(*, unavailable, renamed: "updateOrAppend(_:)")
  @discardableResult
  public mutating func update(_ element: Element) -> Element? { updateOrAppend(element) }

  /// Removes the element with this id.
  ///
  /// - Returns: the removed element; `nil` if there was none.
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let position = index(id: id) else { return nil }
    return removeItem(at: position).item(of: Element.self).element
  }

  /// Removes and returns the element at `position`.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Complexity: O(log n)
  @discardableResult
  public mutating func remove(
    at position: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Element {
    checkPosition(position, upTo: count - 1, fileID, line)
    return removeItem(at: position).item(of: Element.self).element
  }

  /// Removes every element for which `isRemoved` returns `true`. If `isRemoved` throws, nothing is removed.
  ///
  /// - Complexity: O(n), and O(log n) for each removed element.
  public mutating func removeAll<Failure: Error>(
    where isRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let slots = order.allSlots()
    var positions: [Int] = []
    for (position, slot) in slots.enumerated()
    where try slot.item(of: Element.self).read({ (element) throws(Failure) in try isRemoved(element) }) {
      positions.append(position)
    }
    for position in positions.reversed() { removeItem(at: position) }
  }

  /// Removes all elements. O(n), or O(1) if another version contains them.
  public mutating func removeAll() { self = KeyedArray() }

  // MARK: Items

  /// Inserts an item with a new id.
  mutating func insertItem(_ item: Item<Element>, hash: Int, at position: Int) {
    let label = labelForInsertion(at: position)
    logChange(hash)
    index.insert(label, for: hash)
    order.insert(OrderSlot(label: label, hash: hash, item: item), at: position)
  }

  /// Removes the item at `position` and returns its slot.
  @discardableResult
  mutating func removeItem(at position: Int) -> OrderSlot {
    let slot = order.remove(at: position)
    index.remove(slot.label, for: slot.hash)
    logChange(slot.hash)
    return slot
  }

  /// Logs that the element whose id has this hash is inserted, removed or touched.
  mutating func logChange(_ hash: Int) { Revision.elementChanges(hash, in: &revision, count: count) }

  private mutating func labelForInsertion(at position: Int) -> UInt64 {
    while true {
      let before = position > 0 ? order.slot(at: position - 1).label : nil
      let after = position < count ? order.slot(at: position).label : nil
      if let label = Labels.between(before, after) { return label }
      let (start, labels) = Labels.spread(around: before ?? after!, in: order)
      rearrange(from: start, labels.indices.map { order.slot(at: start + $0) }, labels)
    }
  }

  /// Puts the items of `slots`, in this order, at the positions from `start` on, with these labels.
  mutating func rearrange(from start: Int, _ slots: [OrderSlot], _ labels: [UInt64]) {
    var rearranged = slots
    for (offset, slot) in slots.enumerated() where slot.label != labels[offset] {
      // Entries of one hash differ only in their labels, so two of them may be equal until all are replaced.
      index.replace(slot.label, with: labels[offset], for: slot.hash)
      rearranged[offset].label = labels[offset]
    }
    order.replaceItems(from: start, with: rearranged)
  }

  func checkPosition(_ position: Int, upTo end: Int, _ fileID: StaticString, _ line: UInt) {
    guard position < 0 || position > end else { return }
    // Traps like an array, but a release build also names the position.
    fatalError("position \(position) is not in a KeyedArray of \(count) elements", file: fileID, line: line)
  }
}
