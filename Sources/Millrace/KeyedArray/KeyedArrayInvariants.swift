// What always holds. For tests: O(n).

extension KeyedArray {
  /// The invariants that do not hold, none if all is well.
  func brokenInvariants() -> [String] {
    var broken = order.root?.node.brokenInvariants(isRoot: true) ?? []
    broken += index.root?.node.brokenInvariants(shift: 0, prefix: 0) ?? []
    var previous: UInt64?
    for slot in order.allSlots() {
      if let previous, slot.place <= previous { broken.append("places do not ascend at \(slot.place)") }
      previous = slot.place
      let id = slot.element(of: Element.self).pointee.id
      if slot.hash != id.hashValue { broken.append("the hash of \(id) is not that in its slot") }
      if place(of: id) != slot.place { broken.append("\(id) is not found at its place") }
    }
    if index.root?.node.entryCount ?? 0 != count {
      broken.append("the index has not as many entries as there are items")
    }
    return broken
  }
}

extension OrderNode {
  fileprivate func brokenInvariants(isRoot: Bool) -> [String] {
    var broken: [String] = []
    if slotCount == 0 { broken.append("a node is empty") }
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

extension PlaceIndexNode {
  var entryCount: Int { (0..<slotCount).reduce(0) { $0 + (slots[$1].node?.entryCount ?? 1) } }

  fileprivate func brokenInvariants(shift: UInt64, prefix: UInt64) -> [String] {
    var broken: [String] = []
    let isList = shift >= Self.listShift
    if slotCount == 0 { broken.append("an index node is empty") }
    if slotCount > header.pointee.capacity { broken.append("an index node is overfull") }
    if !isList, header.pointee.branches.nonzeroBitCount != slotCount {
      broken.append("an index node's branches are wrong")
    }
    if shift > 0, slotCount == 1, slots[0].child == nil { broken.append("an index entry lies too deep") }
    var branches = (UInt64(0)..<32).filter { !isList && header.pointee.branches & (1 << UInt32($0)) != 0 }
    for index in 0..<slotCount {
      let path = isList ? prefix : prefix | branches.removeFirst() << shift
      if let child = slots[index].node {
        broken += child.brokenInvariants(shift: shift + Self.bitsPerLevel, prefix: path)
      } else if isList
        ? slots[index].hash != prefix : (slots[index].hash ^ path) << (59 - min(shift, 59)) != 0
      {
        broken.append("an index entry lies in the wrong branch")
      }
    }
    return broken
  }
}
