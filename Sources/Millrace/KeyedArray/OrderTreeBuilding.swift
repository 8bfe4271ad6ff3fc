extension OrderTree {
  /// Makes a tree of items in order, their places ascending. O(n)
  init(_ items: [OrderSlot]) {
    var slots = items
    var level = 0
    while slots.count > 1 || level == 0, !slots.isEmpty {
      var parents: [OrderSlot] = []
      parents.reserveCapacity(slots.count / OrderNode.maximumSlots + 1)
      for start in stride(from: 0, to: slots.count, by: OrderNode.maximumSlots) {
        let end = min(start + OrderNode.maximumSlots, slots.count)
        let buffer = OrderNodeBuffer.make(level: level, capacity: end - start)
        for index in start..<end { buffer.node.append(slots[index]) }
        parents.append(OrderSlot(buffer))
      }
      slots = parents
      level += 1
    }
    root = slots.first.map { unsafeDowncast($0.object, to: OrderNodeBuffer.self) }
  }

  /// Puts `items` in the stead of as many from position `start` on; nodes in which nothing differs stay
  /// shared.
  mutating func replaceItems(from start: Int, with items: [OrderSlot]) {
    guard let old = root else { return }
    root = old.node.replacingItems(from: start, with: items) ?? old
    withExtendedLifetime(old) {}
  }
}

extension OrderNode {
  /// A copy in which `items` stand in the stead of as many from position `start` on, where one differs.
  fileprivate func replacingItems(from start: Int, with items: [OrderSlot]) -> OrderNodeBuffer? {
    var copy: OrderNodeBuffer?
    var position = 0
    for index in 0..<slotCount where position < start + items.count {
      let slot = slots + index
      if isLeaf {
        if position >= start, items[position - start].differs(from: slot.pointee) {
          if copy == nil { copy = self.copy(capacity: slotCount) }
          copy!.node.slots[index] = items[position - start]
        }
        position += 1
      } else {
        if position + slot.pointee.tally > start,
          let child = slot.pointee.node.replacingItems(from: start - position, with: items)
        {
          if copy == nil { copy = self.copy(capacity: slotCount) }
          copy!.node.slots[index] = OrderSlot(child)
        }
        position += slot.pointee.tally
      }
    }
    return copy
  }
}

extension OrderSlot {
  fileprivate func differs(from other: OrderSlot) -> Bool {
    object !== other.object || place != other.place
  }
}
