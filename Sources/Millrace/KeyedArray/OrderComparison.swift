/// Compares two order trees, passing over the subtrees that both share.
struct OrderComparison {
  private var old: OrderCursor
  private var new: OrderCursor
  /// How many nodes it has gone into, in both trees.
  private(set) var visitedNodes = 0

  init(old: OrderTree, new: OrderTree) {
    self.old = OrderCursor(old)
    self.new = OrderCursor(new)
  }

  // MARK: By place

  /// Calls `body` for each place where the item in one tree is not that in the other: with both, or with the only one.
  ///
  /// An item that has moved is at two such places, alone at each, or beside another.
  mutating func forEachDifference(_ body: (_ old: OrderSlot?, _ new: OrderSlot?) -> Void) {
    while true {
      switch (old.slot, new.slot) {
      case (nil, nil): return
      case (let left?, nil): stepOld { body(left, nil) }
      case (nil, let right?): stepNew { body(nil, right) }
      case (let left?, let right?):
        if left.place < right.place {
          stepOld { body(left, nil) }
        } else if left.place > right.place {
          stepNew { body(nil, right) }
        } else {
          stepBoth(left, right) { body(left, right) }
        }
      }
    }
  }

  // MARK: By position

  /// Whether both have as many items, and each satisfies `isEqual` with that at its position in the other tree, or is
  /// the same.
  mutating func isEqual(_ isEqual: (_ old: OrderSlot, _ new: OrderSlot) -> Bool) -> Bool {
    var result = true
    while result {
      guard let left = old.slot, let right = new.slot else { return old.slot == nil && new.slot == nil }
      stepBoth(left, right) { result = isEqual(left, right) }
    }
    return false
  }

  // MARK: Steps

  /// Passes over both where they are the same, else calls `body` for items, else goes into the higher, or both.
  private mutating func stepBoth(_ left: OrderSlot, _ right: OrderSlot, _ body: () -> Void) {
    let (oldLevel, newLevel) = (old.level, new.level)
    if oldLevel == newLevel, left.object === right.object || oldLevel == 0 {
      if left.object !== right.object { body() }
      old.advance()
      new.advance()
      return
    }
    if oldLevel >= newLevel {
      old.descend()
      visitedNodes += 1
    }
    if newLevel >= oldLevel {
      new.descend()
      visitedNodes += 1
    }
  }

  private mutating func stepOld(_ body: () -> Void) {
    guard old.level > 0 else {
      body()
      return old.advance()
    }
    old.descend()
    visitedNodes += 1
  }

  private mutating func stepNew(_ body: () -> Void) {
    guard new.level > 0 else {
      body()
      return new.advance()
    }
    new.descend()
    visitedNodes += 1
  }
}
