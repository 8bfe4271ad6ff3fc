/// What is connected, and where, as it was at one moment.
final class SavedTree {
  /// All nodes.
  let nodes: [Node]
  /// Those that keep a value: all but the root.
  let keepingNodes: [Node]
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
    keepingNodes = nodes.filter { $0.erasedBox != nil }
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

/// Everything that is decided, as it was between two turns, with the values of the slices. A class, since it is passed on
/// more often than it is made.
final class SavedDecisions {
  let tree: SavedTree
  fileprivate let boxes: [AnyObject?]
  let decisions: [AnyObject?]
  let sequence: UInt64

  fileprivate init(tree: SavedTree, boxes: [AnyObject?], decisions: [AnyObject?], sequence: UInt64) {
    self.tree = tree
    self.boxes = boxes
    self.decisions = decisions
    self.sequence = sequence
  }

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
    let tree = presentTree
    let known = last?.tree === tree ? last : nil
    return SavedDecisions(
      tree: tree, boxes: boxes(of: tree, like: known?.boxes),
      decisions: decisions(of: tree, like: known?.decisions), sequence: sequence)
  }

  private var presentTree: SavedTree {
    if let savedTree { return savedTree }
    let tree = SavedTree(of: self)
    savedTree = tree
    return tree
  }

  /// The boxes of the nodes; `known` itself if it has just these.
  private func boxes(of tree: SavedTree, like known: [AnyObject?]?) -> [AnyObject?] {
    guard var boxes = known else { return tree.keepingNodes.map(\.erasedBox) }
    for index in 0..<boxes.count {
      let box = tree.keepingNodes[index].erasedBox
      if box !== boxes[index] { boxes[index] = box }
    }
    return boxes
  }

  /// What the bindings have decided; `known` itself if it has just that.
  private func decisions(of tree: SavedTree, like known: [AnyObject?]?) -> [AnyObject?] {
    guard var decisions = known else { return tree.bindings.map { $0.savedDecisions() } }
    for index in 0..<decisions.count {
      let saved = tree.bindings[index].savedDecisions()
      if saved !== decisions[index] { decisions[index] = saved }
    }
    return decisions
  }

  func restore(_ saved: SavedDecisions) {
    let tree = saved.tree
    if savedTree !== tree {
      tree.restore(self)
      savedTree = tree
    }
    for index in 0..<tree.keepingNodes.count {
      tree.keepingNodes[index].restore(box: saved.boxes[index])
    }
    for index in 0..<tree.bindings.count {
      if let decisions = saved.decisions[index] { tree.bindings[index].restore(decisions) }
    }
    sequence = saved.sequence
  }
}
