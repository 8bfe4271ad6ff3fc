/// A node of the label index: a hash trie whose nodes are shared between versions.
///
/// Each level uses six bits of the hash. The branch that leads to a node has a mask of the existing ones among the
/// node's 64 possible branches. So a lookup reads one cache line per level. Beneath the last level are plain lists of
/// entries with equal hashes.
///
/// A node is changed only if it, and every node above it, has one owner; otherwise it is copied first.
final class LabelIndexNode: ManagedBuffer<LabelIndexNodeHeader, LabelIndexBranch> {
  static let bitsPerLevel: UInt64 = 6
  /// The shift from which on nodes are lists.
  static let listShift: UInt64 = 66

  static func make(capacity: Int) -> LabelIndexNode {
    let made = create(minimumCapacity: capacity) { _ in LabelIndexNodeHeader(capacity: capacity) }
    // Checked in a debug build: `create` makes an instance of the class that it is called on.
    return unsafeDowncast(made, to: LabelIndexNode.self)
  }

  deinit {
    withUnsafeMutablePointerToElements { branches in
      for index in 0..<branchCount { (branches + index).deinitialize(count: 1) }
    }
  }

  fileprivate(set) var branchCount: Int {
    get { withUnsafeMutablePointerToHeader { $0.pointee.branchCount } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.branchCount = newValue } }
  }

  /// The number of branches that the node has memory for.
  var branchCapacity: Int { withUnsafeMutablePointerToHeader { $0.pointee.branchCapacity } }

  @inline(__always)
  func branch(at index: Int) -> LabelIndexBranch { withUnsafeMutablePointerToElements { $0[index] } }

  /// The bit of the branch for `hash`.
  @inline(__always)
  static func bit(of hash: UInt64, _ shift: UInt64) -> UInt64 { 1 &<< ((hash &>> shift) & 63) }

  /// The index of the branch with this bit.
  @inline(__always)
  static func index(of bit: UInt64, in mask: UInt64) -> Int { (mask & (bit &- 1)).nonzeroBitCount }
}

struct LabelIndexNodeHeader {
  fileprivate var branchCount = 0
  fileprivate let branchCapacity: Int

  fileprivate init(capacity: Int) { branchCapacity = capacity }
}

/// One branch of a node of the label index: a child node, or an entry, which is a hash with a label.
struct LabelIndexBranch {
  /// For an entry the hash; for a child the mask of its branches.
  var bits: UInt64
  /// The label of an entry; unused for a child.
  var label: UInt64 = 0
  /// The child; `nil` for an entry.
  var child: LabelIndexNode?

  /// The child, made changeable, with room for one more branch if `isGrowing`. The branch must be in a changeable node
  /// and have a child.
  fileprivate mutating func changeableChild(isGrowing: Bool) -> LabelIndexNode {
    let hasOneOwner = isKnownUniquelyReferenced(&child)
    let node = child!
    let count = node.branchCount
    if hasOneOwner, !isGrowing || count < node.branchCapacity { return node }
    let copy = LabelIndexNode.make(capacity: isGrowing ? count + count / 2 + 1 : count)
    for index in 0..<count { copy.insertBranch(node.branch(at: index), at: index) }
    child = copy
    return copy
  }
}

// MARK: - Changing (the parent branch is in a node that can be changed, or is the root's)

extension LabelIndexNode {
  /// Adds an entry beneath `parent`.
  static func insert(_ entry: LabelIndexBranch, under parent: inout LabelIndexBranch, _ shift: UInt64) {
    let node = parent.changeableChild(isGrowing: true)
    guard shift < listShift else { return node.insertBranch(entry, at: node.branchCount) }
    let bit = bit(of: entry.bits, shift)
    let index = index(of: bit, in: parent.bits)
    guard parent.bits & bit != 0 else {
      parent.bits |= bit
      return node.insertBranch(entry, at: index)
    }
    let next = shift + bitsPerLevel
    node.withUnsafeMutablePointerToElements { branches in
      if branches[index].child == nil {
        let other = branches[index]
        branches[index] = LabelIndexBranch(bits: 0, child: make(capacity: 2))
        insert(other, under: &branches[index], next)
      }
      insert(entry, under: &branches[index], next)
    }
  }

  /// Removes an entry beneath `parent`.
  static func remove(_ entry: LabelIndexBranch, under parent: inout LabelIndexBranch, _ shift: UInt64) {
    let node = parent.changeableChild(isGrowing: false)
    guard shift < listShift else { return node.removeBranch(at: node.listIndex(of: entry)) }
    let bit = bit(of: entry.bits, shift)
    let index = index(of: bit, in: parent.bits)
    guard node.hasChild(at: index) else {
      parent.bits &= ~bit
      return node.removeBranch(at: index)
    }
    node.withUnsafeMutablePointerToElements { branches in
      remove(entry, under: &branches[index], shift + bitsPerLevel)
      // If a child is left with a single entry, that entry replaces the child.
      if let child = branches[index].child, child.branchCount == 1, child.branch(at: 0).child == nil {
        branches[index] = child.branch(at: 0)
      }
    }
  }

  /// Replaces the label of an entry beneath `parent`.
  static func replace(
    _ entry: LabelIndexBranch, under parent: inout LabelIndexBranch, with label: UInt64, _ shift: UInt64
  ) {
    let node = parent.changeableChild(isGrowing: false)
    let index =
      shift < listShift ? index(of: bit(of: entry.bits, shift), in: parent.bits) : node.listIndex(of: entry)
    node.withUnsafeMutablePointerToElements { branches in
      if branches[index].child == nil {
        branches[index].label = label
      } else {
        replace(entry, under: &branches[index], with: label, shift + bitsPerLevel)
      }
    }
  }

  private func hasChild(at index: Int) -> Bool {
    withUnsafeMutablePointerToElements { $0[index].child != nil }
  }

  /// The index of an entry in a list.
  private func listIndex(of entry: LabelIndexBranch) -> Int {
    (0..<branchCount).first { branch(at: $0).label == entry.label }!
  }

  fileprivate func insertBranch(_ branch: LabelIndexBranch, at index: Int) {
    withUnsafeMutablePointerToElements { branches in
      (branches + index + 1).moveInitialize(from: branches + index, count: branchCount - index)
      (branches + index).initialize(to: branch)
    }
    branchCount += 1
  }

  private func removeBranch(at index: Int) {
    withUnsafeMutablePointerToElements { branches in
      (branches + index).deinitialize(count: 1)
      (branches + index).moveInitialize(from: branches + index + 1, count: branchCount - index - 1)
    }
    branchCount -= 1
  }
}
