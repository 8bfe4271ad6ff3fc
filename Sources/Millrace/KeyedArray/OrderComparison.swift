/// Compares two order trees, passing over the subtrees that both share.
struct OrderComparison {
  /// An item's slot in a tree that is alive during the comparison.
  typealias Slot = UnsafeMutablePointer<OrderSlot>

  private var old: OrderCursor
  private var new: OrderCursor
  /// How many nodes it has gone into, in both trees.
  private(set) var visitedNodes = 0

  init(old: OrderTree, new: OrderTree) {
    self.old = OrderCursor(old)
    self.new = OrderCursor(new)
  }

  // MARK: By place

  /// Calls `body` for each place where the item in one tree is not that in the other: with both, or with the
  /// only one.
  ///
  /// An item that has moved is at two such places, alone at each, or beside another.
  mutating func forEachDifference(_ body: (_ old: Slot?, _ new: Slot?) -> Void) {
    while !old.isAtEnd || !new.isAtEnd {
      if new.isAtEnd || !old.isAtEnd && old.place < new.place {
        if let slot = Self.step(&old, &visitedNodes) { body(slot, nil) }
      } else if old.isAtEnd || new.place < old.place {
        if let slot = Self.step(&new, &visitedNodes) { body(nil, slot) }
      } else if let (left, right) = stepBoth() {
        body(left, right)
      }
    }
  }

  // MARK: By position

  /// Whether both have as many items, and each satisfies `isEqual` with that at its position in the other
  /// tree, or is the same.
  mutating func isEqual(_ isEqual: (_ old: Slot, _ new: Slot) -> Bool) -> Bool {
    while !old.isAtEnd, !new.isAtEnd {
      if let (left, right) = stepBoth(), !isEqual(left, right) { return false }
    }
    return old.isAtEnd && new.isAtEnd
  }

  // MARK: Steps

  /// Goes into a node, or past an item, which is returned.
  private static func step(_ cursor: inout OrderCursor, _ visitedNodes: inout Int) -> Slot? {
    if cursor.level == 0 {
      defer { cursor.advance() }
      return cursor.slot
    }
    cursor.descend()
    visitedNodes += 1
    return nil
  }

  /// Passes over what is the same in both; then goes into the higher node, or both, or past two items, which
  /// are returned.
  private mutating func stepBoth() -> (old: Slot, new: Slot)? {
    let (oldLevel, newLevel) = (old.level, new.level)
    if oldLevel == newLevel, old.hasObject(of: new) {
      OrderCursor.skipShared(&old, &new)
      return nil
    }
    let left = oldLevel >= newLevel ? Self.step(&old, &visitedNodes) : nil
    let right = newLevel >= oldLevel ? Self.step(&new, &visitedNodes) : nil
    guard let left, let right else { return nil }
    return (left, right)
  }
}
