/// Walks the subtrees of an order tree from left to right. Enters a node only by `enter()`.
///
/// The cursor is at a subtree (a node, or the item in a leaf's slot) or at the end.
struct OrderCursor {
  private let root: OrderNode?
  /// The nodes that the cursor has entered, with the index of the current slot of each.
  private var path: [(node: OrderNode, index: Int)] = []
  private var isAtRoot: Bool
  private let height: Int

  init(_ tree: OrderTree) {
    root = tree.root
    isAtRoot = root != nil
    height = root.map { $0.level + 1 } ?? 0
    path.reserveCapacity(height)
  }

  var isAtEnd: Bool { path.isEmpty && !isAtRoot }

  /// The smallest label in the subtree.
  var label: UInt64 { path.isEmpty ? root!.firstLabel : slot.label }

  /// The height of the subtree: 0 for an item, 1 for a leaf.
  var level: Int { height - path.count }

  /// The slot of the subtree. The cursor must have entered the root.
  var slot: OrderSlot {
    let (node, index) = path[path.count - 1]
    return node.slot(at: index)
  }

  /// Whether both cursors are at the same item or node.
  func isAtSameObject(as other: OrderCursor) -> Bool {
    if path.isEmpty || other.path.isEmpty { return path.isEmpty && other.path.isEmpty && root === other.root }
    return slot.object === other.slot.object
  }

  /// Enters the node that the cursor is at, and goes to its first slot.
  mutating func enter() {
    path.append((path.isEmpty ? root! : slot.child, 0))
  }

  /// Skips the subtree at both cursors, and the following ones in the same nodes as long as they are shared.
  static func skipShared(_ left: inout OrderCursor, _ right: inout OrderCursor) {
    var count = 1
    if let (node, index) = left.path.last, let (otherNode, otherIndex) = right.path.last {
      count = node.sharedSlotCount(from: index, with: otherNode, from: otherIndex)
    }
    left.skip(count)
    right.skip(count)
  }

  /// Skips this many subtrees of the current node.
  mutating func skip(_ count: Int = 1) {
    isAtRoot = false
    guard !path.isEmpty else { return }
    path[path.count - 1].index += count
    while let (node, index) = path.last, index == node.slotCount {
      path.removeLast()
      if !path.isEmpty { path[path.count - 1].index += 1 }
    }
  }
}
