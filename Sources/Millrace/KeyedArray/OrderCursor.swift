/// Walks the subtrees of an order tree from left to right, going down only where it is told to.
struct OrderCursor {
  private var path: [(node: OrderNode, index: Int)] = []
  private var root: OrderSlot?
  private let height: Int

  init(_ tree: OrderTree) {
    root = tree.root.map(OrderSlot.init)
    height = tree.root.map { $0.level + 1 } ?? 0
  }

  /// The slot that it is at: of the root, of a node beneath, or of an item. Nil at the end.
  var slot: OrderSlot? {
    guard let (node, index) = path.last else { return root }
    return node.slots[index]
  }

  /// The height of what it is at: 0 for an item, 1 for a leaf.
  var level: Int { height - path.count }

  /// Goes to the first slot of the node that it is at.
  mutating func descend() { path.append((slot!.node, 0)) }

  /// Goes past what it is at.
  mutating func advance() {
    while let (node, index) = path.last {
      if index + 1 < node.slotCount {
        path[path.count - 1].index = index + 1
        return
      }
      path.removeLast()
    }
    root = nil
  }
}
