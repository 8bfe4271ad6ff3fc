/// A persistent map from the hash of an id to the places of the items that have it.
///
/// It holds no ids: who looks one up compares it with that of the item at the place found.
struct PlaceIndex: @unchecked Sendable {  // a node is changed only while uniquely referenced
  /// What is found for a hash.
  enum Candidates {
    case none
    case one(UInt64)
    /// Several items' ids have the hash.
    case many([UInt64])
  }

  /// A slot as in a node, for the topmost node.
  private(set) var root = PlaceIndexNode.Slot(bits: 0)
  /// Whether several items' ids have one hash, or have had one since it was empty.
  private(set) var hasEqualHashes = false

  init() {}

  /// The places under `hash`. O(log n), and linear in the number of equal hashes.
  func places(for hash: Int) -> Candidates {
    defer { withExtendedLifetime(root.child) {} }
    let hash = UInt64(truncatingIfNeeded: hash)
    guard var node = root.node else { return .none }
    var branches = root.bits
    var shift: UInt64 = 0
    while shift < PlaceIndexNode.listShift {
      let branch = PlaceIndexNode.branch(of: hash, shift)
      guard branches & branch != 0 else { return .none }
      let slot = node.slots + PlaceIndexNode.index(of: branch, in: branches)
      guard let child = slot.pointee.node else {
        return slot.pointee.bits == hash ? .one(slot.pointee.place) : .none
      }
      node = child
      branches = slot.pointee.bits
      shift += PlaceIndexNode.bitsPerLevel
    }
    return .many((0..<node.slotCount).map { node.slots[$0].place })
  }

  /// Adds a place under `hash`. O(log n)
  mutating func insert(_ place: UInt64, for hash: Int) {
    if root.child == nil { root.child = PlaceIndexBuffer.make(capacity: 4) }
    if !PlaceIndexNode.insert(entry(hash, place), under: &root, 0) { hasEqualHashes = true }
  }

  /// Removes a place that is there. O(log n), and linear in the number of equal hashes.
  mutating func remove(_ place: UInt64, for hash: Int) {
    PlaceIndexNode.remove(entry(hash, place), under: &root, 0)
    if root.bits == 0 { self = PlaceIndex() }
  }

  /// Puts another place in the stead of one that is there. O(log n), and linear in the number of equal
  /// hashes.
  mutating func replace(_ place: UInt64, with newPlace: UInt64, for hash: Int) {
    PlaceIndexNode.replace(entry(hash, place), under: &root, with: newPlace, 0)
  }

  private func entry(_ hash: Int, _ place: UInt64) -> PlaceIndexNode.Slot {
    PlaceIndexNode.Slot(bits: UInt64(truncatingIfNeeded: hash), place: place)
  }
}
