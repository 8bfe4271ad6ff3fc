/// What is connected, and where, as it was at one moment.
final class SavedTree {
  /// All nodes.
  let nodes: [Node]
  /// What has decided something.
  let bindings: [any Binding]
  private let restores: [() -> Void]
  private let unfinished: [UInt64: Attachment]
  private let witnesses: [Attachment]

  init(of engine: Engine) {
    var nodes: [Node] = []
    var bindings: [any Binding] = []
    var restores: [() -> Void] = []
    if engine.hasRoot {
      engine.root.forEachNode { node in
        nodes.append(node)
        restores.append(node.savedLinks())
      }
      engine.root.forEachAttachment { attachment in
        restores.append(attachment.savedPlace())
        if let binding = attachment.binding { bindings.append(binding) }
      }
    }
    self.nodes = nodes
    self.bindings = bindings
    self.restores = restores
    unfinished = engine.unfinished
    witnesses = engine.witnesses
  }

  func restore(_ engine: Engine) {
    for restore in restores { restore() }
    engine.unfinished = unfinished
    engine.witnesses = witnesses
  }
}

/// Everything that is decided, as it was between two turns, with the values of the slices.
struct SavedDecisions {
  fileprivate let tree: SavedTree
  fileprivate let boxes: [AnyObject?]
  let decisions: [AnyObject?]
  fileprivate let sequence: UInt64
}

/// Saving and putting back, for a test that explores what may happen. It has no part in what is under way: no body may
/// execute and no update be made. The turn lock must be held, between turns.
extension Engine {
  /// What is connected where has changed.
  func treeChanged() { savedTree = nil }

  func saveDecisions() -> SavedDecisions {
    let tree = savedTree ?? SavedTree(of: self)
    savedTree = tree
    return SavedDecisions(
      tree: tree, boxes: tree.nodes.map(\.erasedBox), decisions: tree.bindings.map { $0.savedDecisions() },
      sequence: sequence)
  }

  func restore(_ saved: SavedDecisions) {
    if savedTree !== saved.tree { saved.tree.restore(self) }
    savedTree = saved.tree
    for (node, box) in zip(saved.tree.nodes, saved.boxes) { node.restore(box: box) }
    for (binding, decisions) in zip(saved.tree.bindings, saved.decisions) {
      if let decisions { binding.restore(decisions) }
    }
    sequence = saved.sequence
  }
}
