/// The memory of a node of the place index, shared between versions.
final class PlaceIndexBuffer: ManagedBuffer<PlaceIndexNode.Header, PlaceIndexNode.Slot> {
  static func make(capacity: Int) -> PlaceIndexBuffer {
    let buffer = create(minimumCapacity: capacity) { _ in
      PlaceIndexNode.Header(slotCount: 0, capacity: capacity)
    }
    return unsafeDowncast(buffer, to: PlaceIndexBuffer.self)
  }

  deinit {
    let node = node
    for index in 0..<node.slotCount { (node.slots + index).deinitialize(count: 1) }
  }

  var node: PlaceIndexNode { @inline(__always) get { Unmanaged.passUnretained(self).node } }
}

extension Unmanaged where Instance == PlaceIndexBuffer {
  var node: PlaceIndexNode {
    @inline(__always) get {
      _withUnsafeGuaranteedRef { $0.withUnsafeMutablePointers { PlaceIndexNode(header: $0, slots: $1) } }
    }
  }
}

/// A node of the place index: a hash trie whose nodes are shared between versions.
///
/// Each level looks at six bits of the hash. Which of a node's 64 branches there are is written in its
/// parent's slot, so that a lookup reads one line of memory per level. Beneath the last level lie plain
/// lists, of entries whose hashes are equal.
///
/// This is an address, valid while the node's buffer lives: see ``OrderNode``. A node is changed only by who
/// has found it, and all above it, uniquely referenced.
struct PlaceIndexNode {
  struct Header {
    var slotCount: Int
    let capacity: Int
  }

  /// A child with its branches, or an entry: a hash and a place.
  struct Slot {
    /// Of an entry the hash, of a child its branches.
    var bits: UInt64
    /// Of an entry.
    var place: UInt64 = 0
    /// Nil for an entry.
    var child: PlaceIndexBuffer?

    /// The child. Valid while the slot is as it is.
    var node: PlaceIndexNode? {
      @inline(__always) get { child.map { Unmanaged.passUnretained($0).node } }
    }
  }

  static let bitsPerLevel: UInt64 = 6
  /// From this shift on nodes are lists.
  static let listShift: UInt64 = 66

  let header: UnsafeMutablePointer<Header>
  let slots: UnsafeMutablePointer<Slot>

  var slotCount: Int { header.pointee.slotCount }

  @inline(__always)
  static func branch(of hash: UInt64, _ shift: UInt64) -> UInt64 { 1 &<< ((hash &>> shift) & 63) }

  @inline(__always)
  static func index(of branch: UInt64, in branches: UInt64) -> Int {
    (branches & (branch &- 1)).nonzeroBitCount
  }

  // MARK: Sharing

  /// The node of the child of `slot`, which is made one that may be changed, and that has room for one more
  /// slot where `isGrowing`. The slot itself lies in a unique node.
  static func unique(_ slot: inout Slot, isGrowing: Bool) -> PlaceIndexNode {
    let isUnique = isKnownUniquelyReferenced(&slot.child)
    let node = slot.node!
    let count = node.slotCount
    if isUnique, !isGrowing || count < node.header.pointee.capacity { return node }
    let old = slot.child
    let buffer = PlaceIndexBuffer.make(capacity: isGrowing ? count + count / 2 + 1 : count)
    slot.child = buffer
    let copy = buffer.node
    copy.header.pointee.slotCount = count
    if isUnique {
      copy.slots.moveInitialize(from: node.slots, count: count)
      node.header.pointee.slotCount = 0
    } else {
      for index in 0..<count { (copy.slots + index).initialize(to: node.slots[index]) }
    }
    return withExtendedLifetime(old) { copy }
  }

  // MARK: Changing (the slot lies in a unique node, or is the root's)

  /// Adds an entry beneath `parent`.
  ///
  /// - Returns: whether none with its hash is there.
  static func insert(_ entry: Slot, under parent: inout Slot, _ shift: UInt64) -> Bool {
    let node = unique(&parent, isGrowing: true)
    guard shift < listShift else {
      node.insertSlot(entry, at: node.slotCount)
      return node.slotCount == 1
    }
    let branch = branch(of: entry.bits, shift)
    let index = index(of: branch, in: parent.bits)
    guard parent.bits & branch != 0 else {
      parent.bits |= branch
      node.insertSlot(entry, at: index)
      return true
    }
    let next = shift + bitsPerLevel
    if node.slots[index].child == nil {
      let other = node.slots[index]
      node.slots[index] = Slot(bits: 0, child: PlaceIndexBuffer.make(capacity: 2))
      _ = insert(other, under: &node.slots[index], next)
    }
    return insert(entry, under: &node.slots[index], next)
  }

  /// Removes an entry that is beneath `parent`.
  static func remove(_ entry: Slot, under parent: inout Slot, _ shift: UInt64) {
    let node = unique(&parent, isGrowing: false)
    guard shift < listShift else { return node.removeSlot(at: node.listIndex(of: entry)) }
    let branch = branch(of: entry.bits, shift)
    let index = index(of: branch, in: parent.bits)
    guard node.slots[index].child != nil else {
      parent.bits &= ~branch
      return node.removeSlot(at: index)
    }
    remove(entry, under: &node.slots[index], shift + bitsPerLevel)
    // An entry that is left alone moves up.
    let child = node.slots[index].node!
    if child.slotCount == 1, child.slots[0].child == nil {
      let buffer = node.slots[index].child
      node.slots[index] = child.slots[0]
      withExtendedLifetime(buffer) {}
    }
  }

  /// Gives an entry that is beneath `parent` another place.
  static func replace(_ entry: Slot, under parent: inout Slot, with place: UInt64, _ shift: UInt64) {
    let node = unique(&parent, isGrowing: false)
    let index =
      shift < listShift
      ? index(of: branch(of: entry.bits, shift), in: parent.bits) : node.listIndex(of: entry)
    if node.slots[index].child == nil {
      node.slots[index].place = place
    } else {
      replace(entry, under: &node.slots[index], with: place, shift + bitsPerLevel)
    }
  }

  private func listIndex(of entry: Slot) -> Int { (0..<slotCount).first { slots[$0].place == entry.place }! }

  private func insertSlot(_ slot: Slot, at index: Int) {
    let target = slots + index
    (target + 1).moveInitialize(from: target, count: slotCount - index)
    target.initialize(to: slot)
    header.pointee.slotCount += 1
  }

  private func removeSlot(at index: Int) {
    let target = slots + index
    target.deinitialize(count: 1)
    target.moveInitialize(from: target + 1, count: slotCount - index - 1)
    header.pointee.slotCount -= 1
  }
}
