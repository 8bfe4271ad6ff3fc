/// The nodes of parts of the state that have ended and at which something may still be connected.
///
/// All of it is fenced from the turn in which the part ended; what is connected is ended a little at a time, so that a
/// hundred thousand parts that end in one action hold up nobody for long. Guarded by the turn lock.
struct TearDown {
  /// How many connections and nodes are torn down in one holding of the lock.
  static let limit = 512

  fileprivate var nodes: [Node] = []
  /// The nodes of collections that ended at once, each list taken from its end.
  fileprivate var lists: [[Node]] = []
  fileprivate var isContinuing = false

  var isEmpty: Bool { nodes.isEmpty && lists.isEmpty }

  func forEachNode(_ body: (Node) -> Void) {
    nodes.forEach(body)
    for list in lists { list.forEach(body) }
  }
}

extension Engine {
  /// A part of the state has ended: from here on nothing of it is admitted, starts or is updated. What is connected at
  /// its node is ended at the end of this turn or, where it is much, in turns to come.
  func endPart(_ scope: Scope, at node: Node) {
    end(scope)
    isTreeDue = true
    tearDown.nodes.append(node)
  }

  /// Many parts of one scope have ended: fences them at once and tears them down as `endPart` does.
  func endParts(_ scope: Scope, at nodes: [Node]) {
    end(scope)
    isTreeDue = true
    if !nodes.isEmpty { tearDown.lists.append(nodes) }
  }

  private func end(_ scope: Scope) {
    updates.end(scope)
    if let run = turnRun, run.attachment.scope.isWithin(scope) { run.partEnded = sequence }
  }

  func tearDownSome() {
    if tearDown.isEmpty || tearDown.isContinuing { return }
    tearDown.isContinuing = true
    var rest = TearDown.limit
    while rest > 0, let node = nextTornDown() {
      rest -= 1
      if let attachment = node.anyAttachment {
        end(attachment)
      } else {
        decided.release(tearDown.nodes.removeLast())
      }
    }
    if tearDown.isEmpty {
      tearDown.isContinuing = false
    } else {
      post(through: scope, site: CallSite(fileID: #fileID, line: #line)) { _ in
        self.tearDown.isContinuing = false
        self.tearDownSome()
      }
    }
  }

  private func nextTornDown() -> Node? {
    if tearDown.nodes.isEmpty, var list = tearDown.lists.popLast() {
      if let node = list.popLast() { tearDown.nodes.append(node) }
      if !list.isEmpty { tearDown.lists.append(list) }
    }
    return tearDown.nodes.last
  }
}
