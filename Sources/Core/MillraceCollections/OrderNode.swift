/// A node of the order tree: a counted B+tree whose nodes are shared between versions.
///
/// A node is changed only if it, and every node above it, has one owner; otherwise it is copied first. Two neighbours
/// under one parent together have more than half the slots of a full node, so the height is logarithmic. There is no
/// other minimum, since appending begins nodes with one slot.
final class OrderNode: ManagedBuffer<OrderNodeHeader, OrderSlot> {
  static let bitsPerLevel = 4
  static let maximumSlots = 1 << bitsPerLevel
  /// Two neighbours with at most this many slots together are merged.
  static let mergedSlots = maximumSlots / 2

  static func make(level: Int, capacity: Int) -> OrderNode {
    let made = create(minimumCapacity: capacity) { _ in OrderNodeHeader(level: level, capacity: capacity) }
    // Checked in a debug build: `create` makes an instance of the class that it is called on.
    return unsafeDowncast(made, to: OrderNode.self)
  }

  deinit {
    if isLastOwnerOfMany { return freeElsewhere() }
    withUnsafeMutablePointerToElements { slots in
      for index in 0..<slotCount { (slots + index).deinitialize(count: 1) }
    }
  }

  // The header is accessed by pointer, since access as a property would be checked for exclusivity each time.

  var slotCount: Int {
    get { withUnsafeMutablePointerToHeader { Int($0.pointee.slotCount) } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.slotCount = UInt8(newValue) } }
  }

  /// The number of items in and beneath the node.
  var itemCount: Int {
    get { withUnsafeMutablePointerToHeader { $0.pointee.itemCount } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.itemCount = newValue } }
  }

  /// The distance from the leaves, 0 for a leaf.
  var level: Int { withUnsafeMutablePointerToHeader { Int($0.pointee.level) } }
  var isLeaf: Bool { level == 0 }
  /// The number of slots that the node has memory for.
  var slotCapacity: Int { withUnsafeMutablePointerToHeader { Int($0.pointee.slotCapacity) } }
  var firstLabel: UInt64 { withUnsafeMutablePointerToElements { $0.pointee.label } }

  func slot(at index: Int) -> OrderSlot { withUnsafeMutablePointerToElements { $0[index] } }
  @inline(__always)
  func child(at index: Int) -> OrderNode { withUnsafeMutablePointerToElements { $0[index].child } }

  // MARK: Searching

  /// The index of the last slot whose label is at most `label`, 0 if there is none.
  func index(of label: UInt64) -> Int {
    withUnsafeMutablePointerToElements { slots in
      // Labels are evenly spaced until an item is inserted or removed before them, so the index can be guessed. A
      // correct guess reads two cache lines, and in a leaf is confirmed without reading the next slot.
      let distance = UInt64(min(Labels.gapBits + Self.bitsPerLevel * level, 63))
      let guess = Int(truncatingIfNeeded: (label &- slots[0].label) &>> distance)
      if guess >= 0, guess < slotCount, slots[guess].label <= label,
        slots[guess].label == label || guess + 1 == slotCount || slots[guess + 1].label > label
      {
        return guess
      }
      // A binary search without branches, since a mispredicted branch costs as much as two levels.
      var (index, count) = (0, slotCount)
      while count > 1 {
        let half = count / 2
        index = slots[index + half].label <= label ? index + half : index
        count -= half
      }
      return index
    }
  }

  /// The index of the child that contains the item at `position`, and the position within that child. For inner nodes.
  func indexOfChild(containing position: Int) -> (index: Int, position: Int) {
    withUnsafeMutablePointerToElements { slots in
      var (index, rest) = (0, position)
      while rest >= slots[index].tally {
        rest -= slots[index].tally
        index += 1
      }
      return (index, rest)
    }
  }

  /// The number of items beneath the children before `index`. For inner nodes.
  func itemCount(before index: Int) -> Int {
    withUnsafeMutablePointerToElements { slots in (0..<index).reduce(0) { $0 + slots[$1].tally } }
  }

  /// Calls `body` with the slot of every item in and beneath the node, in order.
  func forEachItemSlot(_ body: (OrderSlot) -> Void) {
    for index in 0..<slotCount {
      if isLeaf { body(slot(at: index)) } else { child(at: index).forEachItemSlot(body) }
    }
  }

  /// The number of slots from `index` on that have the same objects as those of the other node from `otherIndex` on.
  func sharedSlotCount(from index: Int, with other: OrderNode, from otherIndex: Int) -> Int {
    withUnsafeMutablePointerToElements { slots in
      other.withUnsafeMutablePointerToElements { others in
        let limit = min(slotCount - index, other.slotCount - otherIndex)
        var shared = 0
        while shared < limit, slots[index + shared].object === others[otherIndex + shared].object {
          shared += 1
        }
        return shared
      }
    }
  }
}

/// The header of a node of the order tree, stored before its slots. Small, so that the first slot is usually in the
/// same cache line.
struct OrderNodeHeader {
  fileprivate(set) var itemCount = 0
  fileprivate var slotCount: UInt8 = 0
  fileprivate let level: UInt8
  fileprivate let slotCapacity: UInt8

  fileprivate init(level: Int, capacity: Int) {
    self.level = UInt8(level)
    slotCapacity = UInt8(capacity)
  }
}
