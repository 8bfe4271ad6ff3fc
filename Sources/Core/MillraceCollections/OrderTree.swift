/// A persistent sequence of items, each with a label. Labels are numbers in ascending order, so that an item can be
/// found by its label whatever is inserted or removed before it.
///
/// This tree has the items in order, and a hash trie maps ids to labels. Changing one of 100,000 elements was measured
/// against two other structures, without and with an earlier version held:
///
/// | the items are in | without | with |
/// |---|---|---|
/// | this tree | 0.7 µs | 2.2 µs |
/// | a hash trie, by id | 0.45 µs | 2.5-4 µs |
/// | a radix tree by slot number, and a map of id to number | 0.25 µs | 2 µs |
///
/// The others were compiled for one element type and keep no order: they would need this tree as well, with a lookup
/// for every element of an iteration. With this tree, one walk compares elements and order, and a change does not touch
/// the trie. Nodes of 16 slots instead of 32 save a fifth while a version is held, and cost nothing otherwise.
struct OrderTree: @unchecked Sendable {  // a node is changed only while it has one owner; items are Sendable
  var root: OrderNode?

  init() {}

  /// The number of items. O(1)
  var count: Int { root?.itemCount ?? 0 }

  // MARK: Finding

  /// The slot of the item at `position`. O(log n)
  func slot(at position: Int) -> OrderSlot {
    let (leaf, index) = leaf(containing: position)!
    return leaf.slot(at: index)
  }

  /// The leaf with the item at `position`, and the index within the leaf; `nil` if there is no such item. O(log n)
  func leaf(containing position: Int) -> (leaf: OrderNode, index: Int)? {
    guard var node = root, position < node.itemCount else { return nil }
    var position = position
    while !node.isLeaf {
      let (index, rest) = node.indexOfChild(containing: position)
      node = node.child(at: index)
      position = rest
    }
    return (node, position)
  }

  /// The slot of the item with this label; `nil` if there is none. O(log n)
  func slot(label: UInt64) -> OrderSlot? {
    guard var node = root else { return nil }
    while !node.isLeaf { node = node.child(at: node.index(of: label)) }
    let slot = node.slot(at: node.index(of: label))
    return slot.label == label ? slot : nil
  }

  /// The number of items whose label is less than `label`. O(log n)
  func position(of label: UInt64) -> Int {
    guard var node = root else { return 0 }
    var position = 0
    while !node.isLeaf {
      let index = node.index(of: label)
      position += node.itemCount(before: index)
      node = node.child(at: index)
    }
    let index = node.index(of: label)
    return position + (node.slot(at: index).label < label ? index + 1 : index)
  }

  /// All slots in order. O(n)
  func allSlots() -> [OrderSlot] {
    var result: [OrderSlot] = []
    result.reserveCapacity(count)
    root?.forEachItemSlot { result.append($0) }
    return result
  }

  // MARK: Changing

  /// The root, made changeable, with room for one more slot if `isGrowing` and not full. There must be a root.
  mutating func changeableRoot(isGrowing: Bool = false) -> OrderNode {
    let hasOneOwner = isKnownUniquelyReferenced(&root)
    let node = root!
    guard let replacement = node.replacement(hasOneOwner: hasOneOwner, isGrowing: isGrowing) else {
      return node
    }
    root = replacement
    return replacement
  }

  /// The leaf with the item of this label, made changeable, and the index in it. The item must exist. O(log n)
  mutating func changeableLeaf(label: UInt64) -> (leaf: OrderNode, index: Int) {
    var node = changeableRoot()
    while !node.isLeaf { node = node.changeableChild(at: node.index(of: label)) }
    return (node, node.index(of: label))
  }

  /// Inserts an item before the one at `position`. Its label must be between the labels of its neighbours. O(log n)
  mutating func insert(_ slot: OrderSlot, at position: Int) {
    if root == nil { root = OrderNode.make(level: 0, capacity: 4) }
    let node = changeableRoot(isGrowing: true)
    guard let right = node.insertItem(slot, at: position, isLast: true) else { return }
    let parent = OrderNode.make(level: node.level + 1, capacity: 4)
    parent.append(OrderSlot(node))
    parent.append(OrderSlot(right))
    root = parent
  }

  /// Removes the item at `position`. O(log n)
  mutating func remove(at position: Int) -> OrderSlot {
    let slot = changeableRoot().removeItem(at: position)
    while let node = root, !node.isLeaf, node.slotCount == 1 { root = node.child(at: 0) }
    if count == 0 { root = nil }
    return slot
  }
}

// MARK: - Nodes that have one owner

extension OrderNode {
  /// Inserts an item beneath the node; returns the new right part if the node was split.
  fileprivate func insertItem(_ slot: OrderSlot, at position: Int, isLast: Bool) -> OrderNode? {
    if isLeaf { return insert(slot, at: position, isLast: isLast) }
    // At a boundary between children, inserts into the left one, so that appending fills the last child.
    let (index, rest) = position == 0 ? (0, -1) : indexOfChild(containing: position - 1)
    let right = changeableChild(at: index, isGrowing: true)
      .insertItem(slot, at: rest + 1, isLast: index == slotCount - 1)
    refreshSlot(at: index)
    return right.flatMap { insert(OrderSlot($0), at: index + 1, isLast: isLast) }
  }

  /// Removes an item beneath the node.
  fileprivate func removeItem(at position: Int) -> OrderSlot {
    if isLeaf { return removeSlot(at: position) }
    let (index, rest) = indexOfChild(containing: position)
    let child = changeableChild(at: index)
    let removed = child.removeItem(at: rest)
    if child.slotCount == 0 {
      removeSlot(at: index)  // its tally still counts the removed item
    } else {
      refreshSlot(at: index)
      mergeChild(at: index)
    }
    return removed
  }

  /// Merges a child that has lost a slot with a neighbour if both are small enough.
  private func mergeChild(at index: Int) {
    for left in [index - 1, index] where left >= 0 && left + 1 < slotCount {
      let (first, second) = (child(at: left), child(at: left + 1))
      guard first.slotCount + second.slotCount <= Self.mergedSlots else { continue }
      let merged = OrderNode.make(level: first.level, capacity: Self.mergedSlots)
      for node in [first, second] {
        for index in 0..<node.slotCount { merged.append(node.slot(at: index)) }
      }
      removeSlot(at: left + 1)
      replaceSlot(at: left, with: OrderSlot(merged))
      itemCount += second.itemCount
      return
    }
  }

  /// Calls `body` with each leaf beneath the node, made changeable, in order; with the node itself if it is a leaf.
  func forEachChangeableLeaf<Failure: Error>(
    _ body: (OrderNode) throws(Failure) -> Void
  ) throws(Failure) {
    if isLeaf { return try body(self) }
    for index in 0..<slotCount { try changeableChild(at: index).forEachChangeableLeaf(body) }
  }
}
