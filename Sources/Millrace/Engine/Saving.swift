/// What is connected, and where, as it was at one moment.
final class SavedTree {
  /// All nodes.
  let nodes: [Node]
  let attachments: [Attachment]
  /// What has decided something.
  let bindings: [any Binding]
  /// Whether nothing but effects has decided something, so that nothing of it depends on the state alone.
  let hasOnlyEffects: Bool
  private let restores: [() -> Void]
  private let unfinished: [UInt64: Attachment]
  private let witnesses: [Attachment]

  init(of engine: Engine) {
    var nodes: [Node] = []
    var attachments: [Attachment] = []
    var restores: [() -> Void] = []
    if engine.hasRoot {
      engine.root.forEachNode { node in
        nodes.append(node)
        restores.append(node.savedLinks())
      }
      engine.root.forEachAttachment { attachment in
        attachments.append(attachment)
        restores.append(attachment.savedPlace())
      }
    }
    self.nodes = nodes
    self.attachments = attachments
    bindings = attachments.compactMap(\.binding)
    self.restores = restores
    hasOnlyEffects = bindings.allSatisfy { $0 is any RunServer }
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
  let tree: SavedTree
  fileprivate let boxes: [AnyObject?]
  let decisions: [AnyObject?]
  let sequence: UInt64

  /// Whether just the same is decided, in the very same objects.
  func isSame(as other: SavedDecisions) -> Bool {
    guard tree === other.tree else { return false }
    for index in 0..<decisions.count where decisions[index] !== other.decisions[index] { return false }
    return true
  }
}

/// Saving and putting back, for a test that explores what may happen. It has no part in what is under way: no body may
/// execute and no update be made. The turn lock must be held, between turns.
extension Engine {
  /// What is connected where has changed.
  func treeChanged() { savedTree = nil }

  /// Everything that decides something.
  var bindings: [any Binding] { SavedTree(of: self).bindings }

  /// Lets go of what was connected in lifetimes that are not under way now: nothing has ended it.
  func forgetAbandoned(among attached: [Attachment]) {
    let tree = SavedTree(of: self)
    let (present, nodes) = (
      Set(tree.attachments.map(ObjectIdentifier.init)), Set(tree.nodes.map(ObjectIdentifier.init))
    )
    for attachment in attached where !present.contains(ObjectIdentifier(attachment)) {
      var next = attachment.node
      while let node = next, !nodes.contains(ObjectIdentifier(node)) {
        next = node.parent
        node.forgetLinks()
      }
      attachment.node = nil
      if let binding = attachment.binding { decided.release(binding) }
      attachment.binding = nil
    }
  }

  /// - Parameter last: what was saved before, of which everything that has not changed is shared.
  func saveDecisions(after last: SavedDecisions? = nil) -> SavedDecisions {
    let tree = savedTree ?? SavedTree(of: self)
    savedTree = tree
    let known = last?.tree === tree ? last : nil
    return SavedDecisions(
      tree: tree, boxes: boxes(of: tree, like: known?.boxes),
      decisions: decisions(of: tree, like: known?.decisions), sequence: sequence)
  }

  /// The boxes of the nodes; `known` itself if it has just these.
  private func boxes(of tree: SavedTree, like known: [AnyObject?]?) -> [AnyObject?] {
    guard let known else { return tree.nodes.map(\.erasedBox) }
    for index in 0..<known.count where tree.nodes[index].erasedBox !== known[index] {
      return tree.nodes.map(\.erasedBox)
    }
    return known
  }

  /// What the bindings have decided; `known` itself if it has just that.
  private func decisions(of tree: SavedTree, like known: [AnyObject?]?) -> [AnyObject?] {
    guard let known else { return tree.bindings.map { $0.savedDecisions() } }
    for index in 0..<known.count where tree.bindings[index].savedDecisions() !== known[index] {
      return tree.bindings.map { $0.savedDecisions() }
    }
    return known
  }

  func restore(_ saved: SavedDecisions) {
    if savedTree !== saved.tree { saved.tree.restore(self) }
    savedTree = saved.tree
    let tree = saved.tree
    for index in 0..<tree.nodes.count { tree.nodes[index].restore(box: saved.boxes[index]) }
    for index in 0..<tree.bindings.count {
      if let decisions = saved.decisions[index] { tree.bindings[index].restore(decisions) }
    }
    sequence = saved.sequence
  }
}
