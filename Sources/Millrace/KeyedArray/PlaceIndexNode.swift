/// The memory of a node of the place index, shared between versions.
final class PlaceIndexBuffer: ManagedBuffer<PlaceIndexNode.Header, PlaceIndexNode.Slot> {
  static func make(capacity: Int) -> PlaceIndexBuffer {
    let buffer = create(minimumCapacity: capacity) { _ in
      PlaceIndexNode.Header(branches: 0, slotCount: 0, capacity: capacity)
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
/// Each level looks at five bits of the hash. Beneath the last one lie plain lists, of entries whose hashes are
/// equal. This is an address, valid while the node's buffer lives: see ``OrderNode``. A node is changed only by who
/// has found it, and all above it, uniquely referenced.
struct PlaceIndexNode {
  struct Header {
    /// Which of the 32 branches there are. Unused in a list.
    var branches: UInt32
    var slotCount: Int
    let capacity: Int
  }

  /// A child, or where there is none, an entry.
  struct Slot {
    var hash: UInt64 = 0
    var place: UInt64 = 0
    var child: PlaceIndexBuffer?

    /// The child. Valid while the slot is as it is.
    var node: PlaceIndexNode? {
      @inline(__always) get { child.map { Unmanaged.passUnretained($0).node } }
    }
  }

  static let bitsPerLevel: UInt64 = 5
  /// From this shift on nodes are lists.
  static let listShift: UInt64 = 64

  let header: UnsafeMutablePointer<Header>
  let slots: UnsafeMutablePointer<Slot>

  var slotCount: Int { header.pointee.slotCount }

  static func branch(of hash: UInt64, _ shift: UInt64) -> UInt32 { 1 &<< UInt32((hash &>> shift) & 31) }

  func has(_ branch: UInt32) -> Bool { header.pointee.branches & branch != 0 }

  func index(of branch: UInt32) -> Int { (header.pointee.branches & (branch &- 1)).nonzeroBitCount }

  // MARK: Sharing

  /// The node of `buffer`, which is made one that may be changed, and that has room for one more slot where
  /// `isGrowing`.
  static func unique(_ buffer: inout PlaceIndexBuffer, isGrowing: Bool) -> PlaceIndexNode {
    let isUnique = isKnownUniquelyReferenced(&buffer)
    let node = buffer.node
    let count = node.slotCount
    if isUnique, !isGrowing || count < node.header.pointee.capacity { return node }
    let old = buffer
    buffer = PlaceIndexBuffer.make(capacity: isGrowing ? count + count / 2 + 1 : count)
    let copy = buffer.node
    copy.header.pointee.branches = node.header.pointee.branches
    copy.header.pointee.slotCount = count
    if isUnique {
      copy.slots.moveInitialize(from: node.slots, count: count)
      node.header.pointee.slotCount = 0
    } else {
      for index in 0..<count { (copy.slots + index).initialize(to: node.slots[index]) }
    }
    return withExtendedLifetime(old) { copy }
  }

  /// The child at `index`, made one that may be changed. The node itself is unique, and has that child.
  private func uniqueChild(_ index: Int, isGrowing: Bool) -> PlaceIndexNode {
    Self.unique(&slots[index].child!, isGrowing: isGrowing)
  }

  // MARK: Changing (the node is unique)

  /// Adds an entry. There must be room for one more slot.
  func insert(_ entry: Slot, _ shift: UInt64) {
    guard shift < Self.listShift else { return insertSlot(entry, at: slotCount) }
    let branch = Self.branch(of: entry.hash, shift)
    let index = index(of: branch)
    guard has(branch) else {
      header.pointee.branches |= branch
      return insertSlot(entry, at: index)
    }
    let next = shift + Self.bitsPerLevel
    if slots[index].child == nil {
      let child = PlaceIndexBuffer.make(capacity: 2)
      child.node.insert(slots[index], next)
      child.node.insert(entry, next)
      slots[index] = Slot(child: child)
    } else {
      uniqueChild(index, isGrowing: true).insert(entry, next)
    }
  }

  /// Removes the entry. It must be there.
  func remove(_ entry: Slot, _ shift: UInt64) {
    guard shift < Self.listShift else { return removeSlot(at: listIndex(of: entry)) }
    let branch = Self.branch(of: entry.hash, shift)
    let index = index(of: branch)
    guard slots[index].child != nil else {
      header.pointee.branches &= ~branch
      return removeSlot(at: index)
    }
    let child = uniqueChild(index, isGrowing: false)
    child.remove(entry, shift + Self.bitsPerLevel)
    // An entry that is left alone moves up.
    if child.slotCount == 1, child.slots[0].child == nil {
      let buffer = slots[index].child
      slots[index] = child.slots[0]
      withExtendedLifetime(buffer) {}
    }
  }

  /// Gives the entry another place. It must be there.
  func replace(_ entry: Slot, _ place: UInt64, _ shift: UInt64) {
    let isList = shift >= Self.listShift
    let index = isList ? listIndex(of: entry) : index(of: Self.branch(of: entry.hash, shift))
    if slots[index].child == nil {
      slots[index].place = place
    } else {
      uniqueChild(index, isGrowing: false).replace(entry, place, shift + Self.bitsPerLevel)
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
