/// Walks the subtrees of an order tree from left to right, going down only where it is told to.
struct OrderCursor {
  /// Keeps the nodes alive.
  private let tree: OrderTree
  /// The nodes that it has gone into, and how far it is in each.
  private var path: [(node: OrderNode, index: Int)] = []
  private var isAtRoot: Bool
  private let height: Int

  init(_ tree: OrderTree) {
    self.tree = tree
    isAtRoot = tree.root != nil
    height = tree.root.map { $0.node.level + 1 } ?? 0
    path.reserveCapacity(height)
  }

  var isAtEnd: Bool { path.isEmpty && !isAtRoot }

  /// The place of what it is at: the smallest beneath.
  var place: UInt64 { path.isEmpty ? tree.root!.node.slots[0].place : slot.pointee.place }

  /// Whether both are at the same item or node.
  func hasObject(of other: OrderCursor) -> Bool {
    if path.isEmpty || other.path.isEmpty {
      return path.isEmpty && other.path.isEmpty && tree.root === other.tree.root
    }
    return slot.pointee.hasObject(of: other.slot.pointee)
  }

  /// The height of what it is at: 0 for an item, 1 for a leaf.
  var level: Int { height - path.count }

  /// The slot that it is at, once it has gone into the root.
  var slot: UnsafeMutablePointer<OrderSlot> {
    let (node, index) = path[path.count - 1]
    return node.slots + index
  }

  /// Goes to the first slot of the node that it is at.
  mutating func descend() {
    path.append((path.isEmpty ? tree.root!.node : slot.pointee.node, 0))
  }

  /// Goes past what both are at, which is the same, and on as long as it is, in the nodes that they are in.
  static func skipShared(_ left: inout OrderCursor, _ right: inout OrderCursor) {
    guard !left.path.isEmpty, !right.path.isEmpty else {
      left.advance()
      right.advance()
      return
    }
    let (leftSlot, rightSlot) = (left.slot, right.slot)
    let limit = min(left.slotsAhead, right.slotsAhead)
    var shared = 0
    while shared < limit, leftSlot[shared].hasObject(of: rightSlot[shared]) { shared += 1 }
    left.advance(by: shared)
    right.advance(by: shared)
  }

  /// How many slots there are from the one that it is at to the node's end.
  private var slotsAhead: Int {
    let (node, index) = path[path.count - 1]
    return node.slotCount - index
  }

  private mutating func advance(by count: Int) {
    guard count > 0 else { return }
    path[path.count - 1].index += count - 1
    advance()
  }

  /// Goes past what it is at.
  mutating func advance() {
    isAtRoot = false
    while let (node, index) = path.last {
      if index + 1 < node.slotCount {
        path[path.count - 1].index = index + 1
        return
      }
      path.removeLast()
    }
  }
}
