@testable import MillraceCollections

// The invariants of the data structures. O(n)

extension KeyedArray {
  /// Descriptions of the broken invariants; empty if all hold.
  func brokenInvariants() -> [String] {
    var broken = order.root?.brokenInvariants(isRoot: true) ?? []
    broken += index.root.brokenInvariants(shift: 0, prefix: 0)
    var previous: UInt64?
    for slot in order.allSlots() {
      if let previous, slot.label <= previous { broken.append("labels do not ascend at \(slot.label)") }
      previous = slot.label
      let id = slot.item(of: Element.self).id
      if slot.hash != id.hashValue { broken.append("the hash of \(id) is not that in its slot") }
      if self.slot(of: id)?.label != slot.label { broken.append("\(id) is not found at its label") }
    }
    if index.root.entryCount != count {
      broken.append("the index has not as many entries as there are items")
    }
    if !isEmpty, revision == nil { broken.append("there is no log of changes") }
    return broken
  }
}

extension OrderNode {
  fileprivate func brokenInvariants(isRoot: Bool) -> [String] {
    var broken: [String] = []
    if slotCount == 0 { broken.append("a node is empty") }
    if slotCount > slotCapacity || slotCount > Self.maximumSlots { broken.append("a node is overfull") }
    if isLeaf {
      if itemCount != slotCount { broken.append("a leaf's item count is wrong") }
      return broken
    }
    if isRoot, slotCount == 1 { broken.append("the root has a single child") }
    var items = 0
    for index in 0..<slotCount {
      let slot = slot(at: index)
      items += slot.tally
      if slot.child.level != level - 1 { broken.append("leaves are at different depths") }
      if slot.tally != slot.child.itemCount { broken.append("a slot's item count is wrong") }
      if slot.label != slot.child.firstLabel { broken.append("a slot's label is not the smallest beneath") }
      if index > 0, child(at: index - 1).slotCount + slot.child.slotCount <= Self.mergedSlots {
        broken.append("two neighbours could be one")
      }
      broken += slot.child.brokenInvariants(isRoot: false)
    }
    if items != itemCount { broken.append("a node's item count is wrong") }
    return broken
  }
}

extension LabelIndexBranch {
  fileprivate var entryCount: Int {
    guard let child else { return bits == 0 ? 0 : 1 }
    return (0..<child.branchCount).reduce(0) {
      $0 + (child.branch(at: $1).child == nil ? 1 : child.branch(at: $1).entryCount)
    }
  }

  /// The broken invariants beneath a branch with a child. `prefix` has the bits of the hash that lead to the branch.
  fileprivate func brokenInvariants(shift: UInt64, prefix: UInt64) -> [String] {
    guard let child else { return [] }
    var broken: [String] = []
    let isList = shift >= LabelIndexNode.listShift
    if child.branchCount == 0 { broken.append("an index node is empty") }
    if child.branchCount > child.branchCapacity { broken.append("an index node is overfull") }
    if !isList, bits.nonzeroBitCount != child.branchCount { broken.append("an index node's mask is wrong") }
    if shift > 0, child.branchCount == 1, child.branch(at: 0).child == nil {
      broken.append("an index entry is too deep")
    }
    var branchNumbers = (UInt64(0)..<64).filter { !isList && bits & (1 << $0) != 0 }
    for index in 0..<child.branchCount {
      let branch = child.branch(at: index)
      let path = isList ? prefix : prefix | branchNumbers.removeFirst() << shift
      let knownBits = min(shift + LabelIndexNode.bitsPerLevel, 64)
      if branch.child != nil {
        broken += branch.brokenInvariants(shift: shift + LabelIndexNode.bitsPerLevel, prefix: path)
      } else if (branch.bits ^ path) << (64 - knownBits) != 0 {
        broken.append("an index entry is in the wrong branch")
      }
    }
    return broken
  }
}
