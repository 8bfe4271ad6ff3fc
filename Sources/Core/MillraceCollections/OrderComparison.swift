/// Compares two order trees, skipping subtrees that both share.
struct OrderComparison {
  private var old: OrderCursor
  private var new: OrderCursor
  /// The number of nodes entered, in both trees.
  private(set) var visitedNodes = 0

  init(old: OrderTree, new: OrderTree) {
    self.old = OrderCursor(old)
    self.new = OrderCursor(new)
  }

  /// Calls `body` for each label at which the trees have different items, with the slot of each tree that has an item
  /// there.
  ///
  /// An item that was moved has a label in each tree. At either, it may be alone or beside another item.
  mutating func forEachDifference(_ body: (_ old: OrderSlot?, _ new: OrderSlot?) -> Void) {
    while !old.isAtEnd || !new.isAtEnd {
      if new.isAtEnd || !old.isAtEnd && old.label < new.label {
        if let slot = Self.step(&old, &visitedNodes) { body(slot, nil) }
      } else if old.isAtEnd || new.label < old.label {
        if let slot = Self.step(&new, &visitedNodes) { body(nil, slot) }
      } else if let (left, right) = stepBoth() {
        body(left, right)
      }
    }
  }

  /// Whether both trees have the same number of items, and at each position the same item or two that satisfy
  /// `isEqual`.
  mutating func isEqual(_ isEqual: (_ old: OrderSlot, _ new: OrderSlot) -> Bool) -> Bool {
    while !old.isAtEnd, !new.isAtEnd {
      if let (left, right) = stepBoth(), !isEqual(left, right) { return false }
    }
    return old.isAtEnd && new.isAtEnd
  }

  /// Enters a node, or skips an item and returns its slot.
  private static func step(_ cursor: inout OrderCursor, _ visitedNodes: inout Int) -> OrderSlot? {
    if cursor.level == 0 {
      defer { cursor.skip() }
      return cursor.slot
    }
    cursor.enter()
    visitedNodes += 1
    return nil
  }

  /// Skips a shared subtree. Otherwise enters the higher node, or both nodes, or skips two items and returns their
  /// slots.
  private mutating func stepBoth() -> (old: OrderSlot, new: OrderSlot)? {
    let (oldLevel, newLevel) = (old.level, new.level)
    if oldLevel == newLevel, old.isAtSameObject(as: new) {
      OrderCursor.skipShared(&old, &new)
      return nil
    }
    let left = oldLevel >= newLevel ? Self.step(&old, &visitedNodes) : nil
    let right = newLevel >= oldLevel ? Self.step(&new, &visitedNodes) : nil
    guard let left, let right else { return nil }
    return (left, right)
  }
}
