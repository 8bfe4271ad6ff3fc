import Dispatch

/// The memory of a node of the order tree, shared between versions.
///
/// Freeing a hundred thousand elements takes tens of milliseconds, and mostly it is a reducer that lets go of them, for
/// which everybody waits. So a node that takes many with it leaves that to another thread.
final class OrderNodeBuffer: ManagedBuffer<OrderNode.Header, OrderSlot> {
  static func make(level: Int, capacity: Int) -> OrderNodeBuffer {
    let buffer = create(minimumCapacity: capacity) { _ in
      OrderNode.Header(level: level, capacity: capacity)
    }
    return unsafeDowncast(buffer, to: OrderNodeBuffer.self)
  }

  deinit {
    let node = node
    if node.isLastOwnerOfMany { return freeElsewhere(node) }
    OrderSlot.destroy(node.slots, count: node.slotCount)
  }

  /// Lets go of the children on another thread.
  private func freeElsewhere(_ node: OrderNode) {
    // Held by that thread alone: it may be done before this one goes on.
    let orphans = Unmanaged.passRetained(Orphans((0..<node.slotCount).map { (node.slots + $0).move() }))
    DispatchQueue.global(qos: .utility).async { orphans.release() }
  }

  /// What a freed node has held.
  private final class Orphans: @unchecked Sendable {  // who holds it last only lets it go; items are Sendable
    private let slots: [OrderSlot]

    init(_ slots: [OrderSlot]) { self.slots = slots }
  }

  var node: OrderNode { @inline(__always) get { Unmanaged.passUnretained(self).node } }
}

extension Unmanaged where Instance == OrderNodeBuffer {
  var node: OrderNode {
    @inline(__always) get {
      _withUnsafeGuaranteedRef { $0.withUnsafeMutablePointers { OrderNode(header: $0, slots: $1) } }
    }
  }
}

/// A node of the order tree: a counted B+tree whose nodes are shared between versions.
///
/// This is an address, valid while the node's buffer lives; it counts no references, since that would be most
/// of the cost. Who lets go of a buffer extends its lifetime over the last use of the address. A node is
/// changed only by who has found it, and all above it, uniquely referenced; all else is copied first.
///
/// Neighbours under one parent hold more than half a node's slots together, so the height is logarithmic.
/// There is no other minimum: appending leaves full nodes behind.
struct OrderNode {
  /// Short, so that the first slot mostly lies in the same line of memory.
  struct Header {
    var itemCount = 0
    fileprivate var shortSlotCount: UInt8 = 0
    fileprivate let shortLevel: UInt8
    fileprivate let shortCapacity: UInt8
    var shortcuts = Shortcuts()

    init(level: Int, capacity: Int) {
      shortLevel = UInt8(level)
      shortCapacity = UInt8(capacity)
    }

    var slotCount: Int {
      get { Int(shortSlotCount) }
      set { shortSlotCount = UInt8(newValue) }
    }

    var level: Int { Int(shortLevel) }
    var capacity: Int { Int(shortCapacity) }
  }

  static let bitsPerLevel = 4
  static let maximumSlots = 1 << bitsPerLevel
  /// Neighbours that hold no more than this together are merged.
  static let mergedSlots = maximumSlots / 2

  let header: UnsafeMutablePointer<Header>
  let slots: UnsafeMutablePointer<OrderSlot>

  var slotCount: Int { header.pointee.slotCount }
  /// The number of items in it and beneath.
  var itemCount: Int { header.pointee.itemCount }
  /// 0 for a leaf.
  var level: Int { header.pointee.level }
  var isLeaf: Bool { header.pointee.level == 0 }

  /// Beneath a node with more items than this, freeing them is left to another thread.
  static let itemsFreedAtOnce = 8192

  /// Whether much is freed with the node. One that was copied for a change has a single child of its own.
  fileprivate var isLastOwnerOfMany: Bool {
    if itemCount <= Self.itemsFreedAtOnce { return false }
    var owned = 0
    for index in 0..<slotCount where owned < 2 {
      let isOwned = slots[index].withReference(to: OrderNodeBuffer.self) { isKnownUniquelyReferenced(&$0) }
      if isOwned { owned += 1 }
    }
    return owned == 2
  }

  // MARK: Searching

  /// The index of the last slot whose place is not greater than `place`, 0 where there is none.
  func index(of place: UInt64) -> Int {
    var index = 0
    var count = slotCount
    // Where nothing was inserted or removed before, places lie evenly. A right guess reads two lines of
    // memory, and in a leaf is known to be right without a look at the next slot.
    let distance = UInt64(min(Places.gapBits + Self.bitsPerLevel * level, 63))
    let guess = Int(truncatingIfNeeded: (place &- slots[0].place) &>> distance)
    if guess >= 0, guess < count, slots[guess].place <= place,
      slots[guess].place == place || guess + 1 == count || slots[guess + 1].place > place
    {
      return guess
    }
    // Written so that nothing is jumped over: each wrongly foreseen jump would cost as much as two levels.
    while count > 1 {
      let half = count / 2
      index = slots[index + half].place <= place ? index + half : index
      count -= half
    }
    return index
  }

  /// The child in which the item at `position` lies, and the position within it. For an inner node.
  func child(at position: Int) -> (index: Int, position: Int) {
    var index = 0
    var rest = position
    while rest >= slots[index].tally {
      rest -= slots[index].tally
      index += 1
    }
    return (index, rest)
  }

  // MARK: Sharing

  /// A copy that shares all children.
  func copy(capacity: Int) -> OrderNodeBuffer {
    let buffer = OrderNodeBuffer.make(level: level, capacity: capacity)
    let copy = buffer.node
    OrderSlot.copy(slots, to: copy.slots, count: slotCount)
    copy.header.pointee.slotCount = slotCount
    copy.header.pointee.itemCount = itemCount
    copy.header.pointee.shortcuts = header.pointee.shortcuts.copied
    return buffer
  }

  /// The node of `buffer`, which is made one that may be changed, and that has room for one more slot where
  /// `isGrowing` and not full.
  static func unique(_ buffer: inout OrderNodeBuffer, isGrowing: Bool = false) -> OrderNode {
    let isUnique = isKnownUniquelyReferenced(&buffer)
    let node = buffer.node
    let count = node.slotCount
    let isTight = isGrowing && count < maximumSlots && count == node.header.pointee.capacity
    if isUnique, !isTight { return node }
    let old = buffer
    let capacity = isGrowing ? min(maximumSlots, max(4, count + count / 2 + 1)) : count
    if isUnique {
      buffer = OrderNodeBuffer.make(level: node.level, capacity: capacity)
      buffer.node.takeSlots(from: node, startingAt: 0)
      buffer.node.takeShortcuts(from: node)
    } else {
      buffer = node.copy(capacity: capacity)
    }
    return withExtendedLifetime(old) { buffer.node }
  }

  /// The child at `index`, made one that may be changed. The node itself is unique.
  func uniqueChild(_ index: Int, isGrowing: Bool = false) -> OrderNode {
    slots[index].withReference(to: OrderNodeBuffer.self) { Self.unique(&$0, isGrowing: isGrowing) }
  }

  // MARK: Changing (the node is unique)

  /// Adds a slot at the end. There must be room.
  func append(_ slot: OrderSlot) {
    (slots + slotCount).initialize(to: slot)
    header.pointee.slotCount += 1
    header.pointee.itemCount += isLeaf ? 1 : slot.tally
  }

  /// Inserts a slot; where the node is full, it is split and the new right part is returned.
  ///
  /// - Parameter isLast: Whether the node is its parent's last child: appending then leaves it full.
  func insert(_ slot: OrderSlot, at index: Int, isLast: Bool) -> OrderNodeBuffer? {
    if slotCount < Self.maximumSlots {
      let target = slots + index
      (target + 1).moveInitialize(from: target, count: slotCount - index)
      target.initialize(to: slot)
      header.pointee.slotCount += 1
      header.pointee.itemCount += isLeaf ? 1 : slot.tally
      return nil
    }
    if isLast, index == slotCount {
      let right = OrderNodeBuffer.make(level: level, capacity: 4)
      right.node.append(slot)
      return right
    }
    let middle = Self.maximumSlots / 2
    let right = OrderNodeBuffer.make(level: level, capacity: Self.maximumSlots)
    right.node.takeSlots(from: self, startingAt: middle)
    if index <= middle {
      _ = insert(slot, at: index, isLast: false)
    } else {
      _ = right.node.insert(slot, at: index - middle, isLast: false)
    }
    return right
  }

  func removeSlot(at index: Int) -> OrderSlot {
    let target = slots + index
    let slot = target.move()
    target.moveInitialize(from: target + 1, count: slotCount - index - 1)
    header.pointee.slotCount -= 1
    header.pointee.itemCount -= isLeaf ? 1 : slot.tally
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
    other.header.pointee.slotCount = start
    other.header.pointee.itemCount -= items
    header.pointee.slotCount += count
    header.pointee.itemCount += items
  }

  /// Brings the slot of a child that has changed up to date.
  func refreshSlot(at index: Int) {
    let slot = slots + index
    let child = slot.pointee.node
    header.pointee.itemCount += child.itemCount - slot.pointee.tally
    slot.pointee.tally = child.itemCount
    slot.pointee.place = child.slots[0].place
  }
}
