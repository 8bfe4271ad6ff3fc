// Finding elements.

extension KeyedArray {
  /// The number of elements. O(1)
  public var count: Int { order.count }

  /// Whether the collection is empty. O(1)
  public var isEmpty: Bool { order.root == nil }

  /// The ids in order. O(n)
  public var ids: [Element.ID] {
    var ids: [Element.ID] = []
    ids.reserveCapacity(count)
    order.root?.forEachItemSlot { ids.append($0.item(of: Element.self).id) }
    return ids
  }

  /// Returns whether the collection has an element with this id. O(log n)
  public func contains(id: Element.ID) -> Bool { slot(of: id) != nil }

  /// Returns the position of the element with this id; `nil` if there is none. O(log n)
  public func index(id: Element.ID) -> Int? { slot(of: id).map { order.position(of: $0.label) } }

  /// The slot of the element with this id. O(log n)
  func slot(of id: Element.ID) -> OrderSlot? {
    switch index.labels(for: id.hashValue) {
    case .none: return nil
    case .one(let label): return slot(label: label, ifOf: id)
    case .many(let labels):
      for label in labels {
        if let slot = slot(label: label, ifOf: id) { return slot }
      }
      return nil
    }
  }

  private func slot(label: UInt64, ifOf id: Element.ID) -> OrderSlot? {
    let slot = order.slot(label: label)!  // each label in the index has a slot: both are changed together
    return slot.item(of: Element.self).id == id ? slot : nil
  }

  private func item(of id: Element.ID) -> Item<Element>? { slot(of: id)?.item(of: Element.self) }
}

// MARK: - Elements by address

extension KeyedArray {
  /// Calls `body` with the address of the element with this id, valid until `body` returns; returns `nil` without
  /// calling it if there is no such element. O(log n)
  package func withElement<Result>(
    id: Element.ID, _ body: (UnsafePointer<Element>) -> Result
  ) -> Result? {
    item(of: id).map { $0.withAddress(body) }
  }

  /// The address of the only element whose id has this hash; `nil` if there is none or more than one. Valid until the
  /// next change. O(log n)
  package func onlyElement(hash: Int) -> UnsafePointer<Element>? {
    guard case .one(let label) = index.labels(for: hash) else { return nil }
    // The collection keeps the item, which does not move, until the next change.
    return order.slot(label: label)!.item(of: Element.self).withAddress { $0 }
  }

  /// Calls `body` with the address of each element whose id has this hash, valid until `body` returns. O(log n)
  package func forEachElement(hash: Int, _ body: (UnsafePointer<Element>) -> Void) {
    index.labels(for: hash).visit { order.slot(label: $0)!.item(of: Element.self).withAddress(body) }
  }

  /// Calls `body` with the address of each element, valid until `body` returns, and the hash of its id, in order. O(n)
  package func forEachElement(_ body: (UnsafePointer<Element>, _ hash: Int) -> Void) {
    order.root?.forEachItemSlot { slot in slot.item(of: Element.self).withAddress { body($0, slot.hash) } }
  }
}
