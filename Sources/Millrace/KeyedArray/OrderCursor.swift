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

  /// What it is at: an item or a node.
  var object: AnyObject { path.isEmpty ? tree.root! : slot.pointee.object }

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
