/// A node of the order tree: a counted B+tree whose nodes are shared between versions.
///
/// A node is changed only by who has found it, and all above it, uniquely referenced; all else is copied first.
/// Neighbours under one parent hold more than half a node's slots together, so the height is logarithmic. There is no
/// other minimum: appending leaves full nodes behind.
final class OrderNode: ManagedBuffer<OrderNode.Header, OrderSlot> {
  struct Header {
    var slotCount: Int
    var itemCount: Int
    let level: Int
    let capacity: Int
  }

  static let maximumSlots = 32
  /// Neighbours that hold no more than this together are merged.
  static let mergedSlots = maximumSlots / 2

  static func make(level: Int, capacity: Int) -> OrderNode {
    let node = create(minimumCapacity: capacity) { _ in
      Header(slotCount: 0, itemCount: 0, level: level, capacity: capacity)
    }
    return unsafeDowncast(node, to: OrderNode.self)
  }

  deinit {
    _ = withUnsafeMutablePointers { header, slots in slots.deinitialize(count: header.pointee.slotCount) }
  }

  /// Valid while the node lives.
  var slots: UnsafeMutablePointer<OrderSlot> { withUnsafeMutablePointerToElements { $0 } }
  var slotCount: Int { header.slotCount }
  /// The number of items in it and beneath.
  var itemCount: Int { header.itemCount }
  /// 0 for a leaf.
  var level: Int { header.level }
  var isLeaf: Bool { header.level == 0 }

  // MARK: Searching

  /// The index of the last slot whose place is not greater than `place`, 0 where there is none.
  func index(of place: UInt64) -> Int {
    let slots = slots
    var low = 0
    var high = slotCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if slots[middle].place <= place { low = middle } else { high = middle }
    }
    return low
  }

  /// The child in which the item at `position` lies, and the position within it. For an inner node.
  func child(at position: Int) -> (index: Int, position: Int) {
    let slots = slots
    var index = 0
    var rest = position
    while rest >= slots[index].tally {
      rest -= slots[index].tally
      index += 1
    }
    return (index, rest)
  }

  // MARK: Sharing

  /// A copy that shares all children, with room for one more slot where `isGrowing`.
  func copy(isGrowing: Bool = false) -> OrderNode {
    let copy = OrderNode.make(level: level, capacity: isGrowing ? grownCapacity : slotCount)
    copy.slots.initialize(from: slots, count: slotCount)
    copy.header.slotCount = slotCount
    copy.header.itemCount = itemCount
    return copy
  }

  /// Makes `node` one that may be changed, and that has room for one more slot where `isGrowing` and not full.
  static func makeUnique(_ node: inout OrderNode, isGrowing: Bool = false) {
    if !isKnownUniquelyReferenced(&node) {
      node = node.copy(isGrowing: isGrowing)
    } else if isGrowing, node.slotCount == node.header.capacity, node.slotCount < maximumSlots {
      let grown = OrderNode.make(level: node.level, capacity: node.grownCapacity)
      grown.takeSlots(from: node, startingAt: 0)
      node = grown
    }
  }

  /// The child at `index`, made one that may be changed. The node itself must be unique.
  func uniqueChild(_ index: Int, isGrowing: Bool = false) -> OrderNode {
    let slot = slots + index
    let isUnique = isKnownUniquelyReferenced(&slot.pointee.object)
    var child = slot.pointee.node
    if !isUnique {
      child = child.copy(isGrowing: isGrowing)
      slot.pointee.object = child
    } else if isGrowing, child.slotCount == child.header.capacity, child.slotCount < Self.maximumSlots {
      let grown = OrderNode.make(level: child.level, capacity: child.grownCapacity)
      grown.takeSlots(from: child, startingAt: 0)
      slot.pointee.object = grown
      child = grown
    }
    return child
  }

  private var grownCapacity: Int { min(Self.maximumSlots, max(4, slotCount + slotCount / 2 + 1)) }

  // MARK: Changing (the node is unique)

  /// Adds a slot at the end. There must be room.
  func append(_ slot: OrderSlot) {
    let weight = isLeaf ? 1 : slot.tally
    (slots + slotCount).initialize(to: slot)
    header.slotCount += 1
    header.itemCount += weight
  }

  /// Inserts a slot; where the node is full, it is split and the new right part is returned.
  ///
  /// - Parameter isLast: Whether the node is its parent's last child: appending then leaves it full.
  func insert(_ slot: OrderSlot, at index: Int, isLast: Bool) -> OrderNode? {
    if slotCount < Self.maximumSlots {
      let target = slots + index
      (target + 1).moveInitialize(from: target, count: slotCount - index)
      target.initialize(to: slot)
      header.slotCount += 1
      header.itemCount += isLeaf ? 1 : slot.tally
      return nil
    }
    if isLast, index == slotCount {
      let right = OrderNode.make(level: level, capacity: 4)
      right.append(slot)
      return right
    }
    let middle = Self.maximumSlots / 2
    let right = OrderNode.make(level: level, capacity: Self.maximumSlots)
    right.takeSlots(from: self, startingAt: middle)
    if index <= middle {
      _ = insert(slot, at: index, isLast: false)
    } else {
      _ = right.insert(slot, at: index - middle, isLast: false)
    }
    return right
  }

  func removeSlot(at index: Int) -> OrderSlot {
    let target = slots + index
    let slot = target.move()
    target.moveInitialize(from: target + 1, count: slotCount - index - 1)
    header.slotCount -= 1
    header.itemCount -= isLeaf ? 1 : slot.tally
    return slot
  }

  /// Moves the other's slots from `start` on to the end of this one. There must be room.
  func takeSlots(from other: OrderNode, startingAt start: Int) {
    let count = other.slotCount - start
    let moved = slots + slotCount
    moved.moveInitialize(from: other.slots + start, count: count)
    var items = count
    if !isLeaf {
      items = 0
      for index in 0..<count { items += moved[index].tally }
    }
    other.header.slotCount = start
    other.header.itemCount -= items
    header.slotCount += count
    header.itemCount += items
  }

  /// Brings the slot of a child that has changed up to date.
  func refreshSlot(at index: Int) {
    let slot = slots + index
    let child = slot.pointee.node
    header.itemCount += child.itemCount - slot.pointee.tally
    slot.pointee.tally = child.itemCount
    slot.pointee.place = child.slots[0].place
  }
}
