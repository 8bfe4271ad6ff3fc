/// A node of the place index: a hash trie whose nodes are shared between versions.
///
/// Each level looks at five bits of the hash. Beneath the last one lie plain lists, of entries whose hashes are equal.
/// A node is changed only by who has found it, and all above it, uniquely referenced.
final class PlaceIndexNode: ManagedBuffer<PlaceIndexNode.Header, PlaceIndexNode.Slot> {
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
    var child: PlaceIndexNode?
  }

  static let bitsPerLevel: UInt64 = 5
  /// From this shift on nodes are lists.
  static let listShift: UInt64 = 64

  static func make(capacity: Int) -> PlaceIndexNode {
    let node = create(minimumCapacity: capacity) { _ in Header(branches: 0, slotCount: 0, capacity: capacity)
    }
    return unsafeDowncast(node, to: PlaceIndexNode.self)
  }

  deinit {
    _ = withUnsafeMutablePointers { header, slots in slots.deinitialize(count: header.pointee.slotCount) }
  }

  /// Valid while the node lives.
  var slots: UnsafeMutablePointer<Slot> { withUnsafeMutablePointerToElements { $0 } }
  var slotCount: Int { header.slotCount }

  static func branch(of hash: UInt64, _ shift: UInt64) -> UInt32 { 1 << UInt32((hash >> shift) & 31) }

  func index(of branch: UInt32) -> Int { (header.branches & (branch - 1)).nonzeroBitCount }

  // MARK: Sharing

  /// Makes `node` one that may be changed, and that has room for one more slot where `isGrowing`.
  static func makeUnique(_ node: inout PlaceIndexNode, isGrowing: Bool) {
    let count = node.slotCount
    let isUnique = isKnownUniquelyReferenced(&node)
    if isUnique, !isGrowing || count < node.header.capacity { return }
    let copy = make(capacity: isGrowing ? count + count / 2 + 1 : count)
    copy.header.branches = node.header.branches
    copy.header.slotCount = count
    if isUnique {
      copy.slots.moveInitialize(from: node.slots, count: count)
      node.header.slotCount = 0
    } else {
      copy.slots.initialize(from: node.slots, count: count)
    }
    node = copy
  }

  // MARK: Changing (the node is unique)

  /// Adds an entry. There must be room for one more slot.
  func insert(_ entry: Slot, _ shift: UInt64) {
    guard shift < Self.listShift else { return insertSlot(entry, at: slotCount) }
    let branch = Self.branch(of: entry.hash, shift)
    let index = index(of: branch)
    guard header.branches & branch != 0 else {
      header.branches |= branch
      return insertSlot(entry, at: index)
    }
    let next = shift + Self.bitsPerLevel
    let slot = slots + index
    if slot.pointee.child == nil {
      let child = Self.make(capacity: 2)
      child.insert(slot.pointee, next)
      child.insert(entry, next)
      slot.pointee = Slot(child: child)
    } else {
      Self.makeUnique(&slot.pointee.child!, isGrowing: true)
      slot.pointee.child!.insert(entry, next)
    }
  }

  /// Removes the entry. It must be there.
  func remove(_ entry: Slot, _ shift: UInt64) {
    guard shift < Self.listShift else {
      return removeSlot(at: (0..<slotCount).first { slots[$0].place == entry.place }!)
    }
    let branch = Self.branch(of: entry.hash, shift)
    let index = index(of: branch)
    let slot = slots + index
    guard slot.pointee.child != nil else {
      header.branches &= ~branch
      return removeSlot(at: index)
    }
    Self.makeUnique(&slot.pointee.child!, isGrowing: false)
    let child = slot.pointee.child!
    child.remove(entry, shift + Self.bitsPerLevel)
    // An entry that is left alone moves up.
    if child.slotCount == 1, child.slots[0].child == nil { slot.pointee = child.slots[0] }
  }

  /// Gives the entry another place. It must be there.
  func replace(_ entry: Slot, _ place: UInt64, _ shift: UInt64) {
    guard shift < Self.listShift else {
      slots[(0..<slotCount).first { slots[$0].place == entry.place }!].place = place
      return
    }
    let slot = slots + index(of: Self.branch(of: entry.hash, shift))
    guard slot.pointee.child != nil else {
      slot.pointee.place = place
      return
    }
    Self.makeUnique(&slot.pointee.child!, isGrowing: false)
    slot.pointee.child!.replace(entry, place, shift + Self.bitsPerLevel)
  }

  private func insertSlot(_ slot: Slot, at index: Int) {
    let target = slots + index
    (target + 1).moveInitialize(from: target, count: slotCount - index)
    target.initialize(to: slot)
    header.slotCount += 1
  }

  private func removeSlot(at index: Int) {
    let target = slots + index
    target.deinitialize(count: 1)
    target.moveInitialize(from: target + 1, count: slotCount - index - 1)
    header.slotCount -= 1
  }
}
