/// A persistent map from the hash of an id to the places of the items that have it.
///
/// It holds no ids: who looks one up compares it with that of the item at the place found.
struct PlaceIndex: @unchecked Sendable {  // a node is changed only while uniquely referenced
  private(set) var root: PlaceIndexBuffer?

  init() {}

  /// The first place under `hash` that `isWanted`. O(log n), and linear in the number of equal hashes.
  func place(for hash: Int, where isWanted: (UInt64) -> Bool) -> UInt64? {
    guard var node = root?.node else { return nil }
    defer { withExtendedLifetime(root) {} }
    let hash = UInt64(truncatingIfNeeded: hash)
    var shift: UInt64 = 0
    while shift < PlaceIndexNode.listShift {
      let branch = PlaceIndexNode.branch(of: hash, shift)
      guard node.has(branch) else { return nil }
      let slot = node.slots + node.index(of: branch)
      guard let child = slot.pointee.node else {
        return slot.pointee.hash == hash && isWanted(slot.pointee.place) ? slot.pointee.place : nil
      }
      node = child
      shift += PlaceIndexNode.bitsPerLevel
    }
    for index in 0..<node.slotCount where isWanted(node.slots[index].place) {
      return node.slots[index].place
    }
    return nil
  }

  /// Adds a place under `hash`. O(log n)
  mutating func insert(_ place: UInt64, for hash: Int) {
    if root == nil { root = PlaceIndexBuffer.make(capacity: 4) }
    PlaceIndexNode.unique(&root!, isGrowing: true).insert(entry(hash, place), 0)
  }

  /// Removes a place that is there. O(log n), and linear in the number of equal hashes.
  mutating func remove(_ place: UInt64, for hash: Int) {
    let node = PlaceIndexNode.unique(&root!, isGrowing: false)
    node.remove(entry(hash, place), 0)
    if node.slotCount == 0 { root = nil }
  }

  /// Puts another place in the stead of one that is there. O(log n), and linear in the number of equal hashes.
  mutating func replace(_ place: UInt64, with newPlace: UInt64, for hash: Int) {
    PlaceIndexNode.unique(&root!, isGrowing: false).replace(entry(hash, place), newPlace, 0)
  }

  private func entry(_ hash: Int, _ place: UInt64) -> PlaceIndexNode.Slot {
    PlaceIndexNode.Slot(hash: UInt64(truncatingIfNeeded: hash), place: place)
  }
}
