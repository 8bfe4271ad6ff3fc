extension OrderTree {
  /// Makes a tree of items in order, with ascending labels. O(n)
  init(_ items: [OrderSlot]) {
    var slots = items
    var level = 0
    while slots.count > 1 || level == 0, !slots.isEmpty {
      slots = stride(from: 0, to: slots.count, by: OrderNode.maximumSlots).map { start in
        let end = min(start + OrderNode.maximumSlots, slots.count)
        let node = OrderNode.make(level: level, capacity: end - start)
        for index in start..<end { node.append(slots[index]) }
        return OrderSlot(node)
      }
      level += 1
    }
    root = slots.first?.child
  }

  /// Replaces slots by `items`, from position `start` on. Nodes without a difference stay shared.
  mutating func replaceItems(from start: Int, with items: [OrderSlot]) {
    root = root?.replacingItems(from: start, with: items) ?? root
  }
}

extension OrderNode {
  /// A copy with `items` in place of the slots from position `start` on; `nil` if nothing differs.
  fileprivate func replacingItems(from start: Int, with items: [OrderSlot]) -> OrderNode? {
    var copy: OrderNode?
    var position = 0
    for index in 0..<slotCount where position < start + items.count {
      let slot = slot(at: index)
      var replacement: OrderSlot?
      if isLeaf {
        if position >= start, items[position - start].differs(from: slot) {
          replacement = items[position - start]
        }
        position += 1
      } else {
        if position + slot.tally > start {
          replacement = slot.child.replacingItems(from: start - position, with: items).map { OrderSlot($0) }
        }
        position += slot.tally
      }
      guard let replacement else { continue }
      if copy == nil { copy = self.copy(capacity: slotCount) }
      copy!.replaceSlot(at: index, with: replacement)
    }
    return copy
  }
}

extension OrderSlot {
  fileprivate func differs(from other: OrderSlot) -> Bool {
    object !== other.object || label != other.label
  }
}
