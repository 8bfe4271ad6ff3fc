/// A persistent sequence of items, each with a place: a label that ascends in order, by which an item is found again
/// whatever is inserted or removed before it.
struct OrderTree: @unchecked Sendable {  // a node is changed only while uniquely referenced; items are Sendable
  var root: OrderNode?

  init() {}

  /// The number of items. O(1)
  var count: Int { root?.itemCount ?? 0 }

  // MARK: Finding

  /// The slot of the item at `position`. O(log n)
  func slot(at position: Int) -> OrderSlot {
    var (node, position) = (root!, position)
    while !node.isLeaf {
      let (index, rest) = node.child(at: position)
      node = node.slots[index].node
      position = rest
    }
    return node.slots[position]
  }

  /// The leaf in which the item at `position` lies, and the index within it. O(log n)
  func leaf(at position: Int) -> (node: OrderNode, index: Int)? {
    guard position < count, var node = root else { return nil }
    var position = position
    while !node.isLeaf {
      let (index, rest) = node.child(at: position)
      node = node.slots[index].node
      position = rest
    }
    return (node, position)
  }

  /// The item at `place`. O(log n)
  func item(at place: UInt64) -> AnyObject? {
    guard var node = root else { return nil }
    while true {
      let slot = node.slots + node.index(of: place)
      if node.isLeaf { return slot.pointee.place == place ? slot.pointee.object : nil }
      node = slot.pointee.node
    }
  }

  /// How many items have a place less than `place`. O(log n)
  func position(of place: UInt64) -> Int {
    guard var node = root else { return 0 }
    var position = 0
    while true {
      let index = node.index(of: place)
      let slots = node.slots
      if node.isLeaf { return position + (slots[index].place < place ? index + 1 : index) }
      for before in 0..<index { position += slots[before].tally }
      node = slots[index].node
    }
  }

  /// All slots in order. O(n)
  func allSlots() -> [OrderSlot] {
    var result: [OrderSlot] = []
    result.reserveCapacity(count)
    root?.forEachSlot { result.append($0.pointee) }
    return result
  }

  // MARK: Changing

  /// Calls `body` with the slot of the item at `place`, on a path that nobody else holds. O(log n)
  mutating func withUniqueSlot<Result>(
    at place: UInt64, _ body: (UnsafeMutablePointer<OrderSlot>) -> Result
  ) -> Result {
    OrderNode.makeUnique(&root!)
    var node = root!
    while !node.isLeaf { node = node.uniqueChild(node.index(of: place)) }
    return body(node.slots + node.index(of: place))
  }

  /// Inserts an item before the one at `position`. Its place must lie between its neighbours'. O(log n)
  mutating func insert(_ slot: OrderSlot, at position: Int) {
    if root == nil { root = OrderNode.make(level: 0, capacity: 4) }
    OrderNode.makeUnique(&root!, isGrowing: true)
    guard let right = root!.insertItem(slot, at: position, isLast: true) else { return }
    let top = OrderNode.make(level: root!.level + 1, capacity: 4)
    top.append(OrderSlot(root!))
    top.append(OrderSlot(right))
    root = top
  }

  /// Removes the item at `position`. O(log n)
  mutating func remove(at position: Int) -> OrderSlot {
    OrderNode.makeUnique(&root!)
    let slot = root!.removeItem(at: position)
    while let node = root, !node.isLeaf, node.slotCount == 1 { root = node.slots[0].node }
    if count == 0 { root = nil }
    return slot
  }
}

extension OrderNode {
  /// Inserts an item beneath; returns the right part where the node was split. The node is unique.
  fileprivate func insertItem(_ slot: OrderSlot, at position: Int, isLast: Bool) -> OrderNode? {
    if isLeaf { return insert(slot, at: position, isLast: isLast) }
    // At a boundary the left child is taken, so that appending fills the last.
    let (index, rest) = position == 0 ? (0, 0) : child(at: position - 1)
    let child = uniqueChild(index, isGrowing: true)
    let position = position == 0 ? 0 : rest + 1
    let right = child.insertItem(slot, at: position, isLast: index == slotCount - 1)
    refreshSlot(at: index)
    return right.flatMap { insert(OrderSlot($0), at: index + 1, isLast: isLast) }
  }

  /// Removes an item beneath. The node is unique.
  fileprivate func removeItem(at position: Int) -> OrderSlot {
    if isLeaf { return removeSlot(at: position) }
    let (index, rest) = child(at: position)
    let child = uniqueChild(index)
    let removed = child.removeItem(at: rest)
    if child.slotCount == 0 {
      header.itemCount -= 1
      slots[index].tally = 0
      _ = removeSlot(at: index)
    } else {
      refreshSlot(at: index)
      mergeChild(at: index)
    }
    return removed
  }

  /// Merges a child that has lost a slot with a neighbour, where both are small.
  private func mergeChild(at index: Int) {
    for left in [index - 1, index] where left >= 0 && left + 1 < slotCount {
      let pair = (slots[left].node, slots[left + 1].node)
      guard pair.0.slotCount + pair.1.slotCount <= Self.mergedSlots else { continue }
      let merged = OrderNode.make(level: pair.0.level, capacity: Self.mergedSlots)
      for node in [pair.0, pair.1] {
        for slot in 0..<node.slotCount { merged.append(node.slots[slot]) }
      }
      _ = removeSlot(at: left + 1)
      slots[left].object = merged
      refreshSlot(at: left)
      return
    }
  }

  /// Calls `body` with the slot of every item beneath, in order.
  func forEachSlot(_ body: (UnsafeMutablePointer<OrderSlot>) -> Void) {
    for index in 0..<slotCount {
      if isLeaf { body(slots + index) } else { slots[index].node.forEachSlot(body) }
    }
  }

  /// Calls `body` with the slot of every item beneath, in order, on paths that nobody else holds. The node is unique.
  func forEachUniqueSlot<Failure: Error>(
    _ body: (UnsafeMutablePointer<OrderSlot>) throws(Failure) -> Void
  ) throws(Failure) {
    for index in 0..<slotCount {
      if isLeaf { try body(slots + index) } else { try uniqueChild(index).forEachUniqueSlot(body) }
    }
  }
}
