/// A persistent map from the hash of an id to the labels of the items whose ids have that hash.
///
/// It contains no ids: the caller compares the sought id with that of the item with the label.
struct LabelIndex: @unchecked Sendable {  // a node is changed only while it has one owner
  /// The labels found for a hash.
  enum Candidates {
    case none
    case one(UInt64)
    /// The ids of several items have the hash.
    case many([UInt64])

    /// Calls `body` with each label. Not a property with a list, which would allocate even for a single label.
    func visit<Failure: Error>(_ body: (UInt64) throws(Failure) -> Void) throws(Failure) {
      switch self {
      case .none: break
      case .one(let label): try body(label)
      case .many(let labels): for label in labels { try body(label) }
      }
    }
  }

  /// The branch that leads to the topmost node.
  private(set) var root = LabelIndexBranch(bits: 0)

  init() {}

  /// The labels under `hash`. O(log n), and linear in the number of equal hashes.
  func labels(for hash: Int) -> Candidates {
    let hash = UInt64(truncatingIfNeeded: hash)
    guard var node = root.child else { return .none }
    var mask = root.bits
    var shift: UInt64 = 0
    while shift < LabelIndexNode.listShift {
      let bit = LabelIndexNode.bit(of: hash, shift)
      guard mask & bit != 0 else { return .none }
      let branch = node.branch(at: LabelIndexNode.index(of: bit, in: mask))
      mask = branch.bits
      guard let child = branch.child else { return mask == hash ? .one(branch.label) : .none }
      node = child
      shift += LabelIndexNode.bitsPerLevel
    }
    return .many((0..<node.branchCount).map { node.branch(at: $0).label })
  }

  /// Adds a label under `hash`. O(log n)
  mutating func insert(_ label: UInt64, for hash: Int) {
    if root.child == nil { root.child = LabelIndexNode.make(capacity: 4) }
    LabelIndexNode.insert(entry(hash, label), under: &root, 0)
  }

  /// Removes an existing label. O(log n), and linear in the number of equal hashes.
  mutating func remove(_ label: UInt64, for hash: Int) {
    LabelIndexNode.remove(entry(hash, label), under: &root, 0)
    if root.bits == 0 { self = LabelIndex() }
  }

  /// Replaces an existing label. O(log n), and linear in the number of equal hashes.
  mutating func replace(_ label: UInt64, with newLabel: UInt64, for hash: Int) {
    LabelIndexNode.replace(entry(hash, label), under: &root, with: newLabel, 0)
  }

  private func entry(_ hash: Int, _ label: UInt64) -> LabelIndexBranch {
    LabelIndexBranch(bits: UInt64(truncatingIfNeeded: hash), label: label)
  }
}
