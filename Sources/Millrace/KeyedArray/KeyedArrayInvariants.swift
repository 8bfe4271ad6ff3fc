// What always holds. For tests: O(n).

extension KeyedArray {
  /// The invariants that do not hold, none if all is well.
  func brokenInvariants() -> [String] {
    var broken = order.root?.node.brokenInvariants(isRoot: true) ?? []
    broken += index.root.brokenInvariants(shift: 0, prefix: 0)
    var previous: UInt64?
    for slot in order.allSlots() {
      if let previous, slot.place <= previous { broken.append("places do not ascend at \(slot.place)") }
      previous = slot.place
      let id = slot.element(of: Element.self).id
      if slot.hash != id.hashValue { broken.append("the hash of \(id) is not that in its slot") }
      if self.slot(of: id)?.pointee.place != slot.place { broken.append("\(id) is not found at its place") }
    }
    let shortcuts = order.root?.node.header.pointee.shortcuts
    if shortcuts?.areOwn ?? false {
      for item in shortcuts?.table?.all ?? [] {
        let id = item.element(of: Element.self).id
        if self.slot(of: id)?.pointee.object !== item.takeUnretainedValue() {
          broken.append("\(id) is another item than known")
        }
      }
      if index.hasEqualHashes { broken.append("items are known though some have equal hashes") }
    }
    if index.root.entryCount != count {
      broken.append("the index has not as many entries as there are items")
    }
    return broken
  }
}

extension OrderNode {
  fileprivate func brokenInvariants(isRoot: Bool) -> [String] {
    var broken: [String] = []
    if slotCount == 0 { broken.append("a node is empty") }
    if !isRoot, header.pointee.shortcuts.table != nil { broken.append("a node knows what only a root may") }
    if slotCount > header.pointee.capacity || slotCount > Self.maximumSlots {
      broken.append("a node is overfull")
    }
    if isLeaf {
      if itemCount != slotCount { broken.append("a leaf counts wrongly") }
      return broken
    }
    if isRoot, slotCount == 1 { broken.append("the root has a single child") }
    var items = 0
    for index in 0..<slotCount {
      let slot = slots[index]
      items += slot.tally
      if slot.node.level != level - 1 { broken.append("leaves lie at different depths") }
      if slot.tally != slot.node.itemCount { broken.append("a slot counts wrongly") }
      if slot.place != slot.node.slots[0].place {
        broken.append("a slot's place is not the smallest beneath")
      }
      if index > 0, slots[index - 1].node.slotCount + slot.node.slotCount <= Self.mergedSlots {
        broken.append("two neighbours could be one")
      }
      broken += slot.node.brokenInvariants(isRoot: false)
    }
    if items != itemCount { broken.append("a node counts wrongly") }
    return broken
  }
}

extension PlaceIndexNode.Slot {
  var entryCount: Int {
    guard let node else { return bits == 0 ? 0 : 1 }
    return (0..<node.slotCount).reduce(0) {
      $0 + (node.slots[$1].child == nil ? 1 : node.slots[$1].entryCount)
    }
  }

  /// What is wrong beneath a slot with a child; `prefix` are the bits of the hash that led to it.
  fileprivate func brokenInvariants(shift: UInt64, prefix: UInt64) -> [String] {
    guard let node else { return [] }
    var broken: [String] = []
    let isList = shift >= PlaceIndexNode.listShift
    if node.slotCount == 0 { broken.append("an index node is empty") }
    if node.slotCount > node.header.pointee.capacity { broken.append("an index node is overfull") }
    if !isList, bits.nonzeroBitCount != node.slotCount { broken.append("an index node's branches are wrong") }
    if shift > 0, node.slotCount == 1, node.slots[0].child == nil {
      broken.append("an index entry lies too deep")
    }
    var branches = (UInt64(0)..<64).filter { !isList && bits & (1 << $0) != 0 }
    for index in 0..<node.slotCount {
      let slot = node.slots[index]
      let path = isList ? prefix : prefix | branches.removeFirst() << shift
      let known = min(shift + PlaceIndexNode.bitsPerLevel, 64)
      if slot.child != nil {
        broken += slot.brokenInvariants(shift: shift + PlaceIndexNode.bitsPerLevel, prefix: path)
      } else if (slot.bits ^ path) << (64 - known) != 0 {
        broken.append("an index entry lies in the wrong branch")
      }
    }
    return broken
  }
}
