/// What has ended and has not been torn down, or has work that has not returned. Guarded by the turn lock.
///
/// All of it is fenced from the turn in which it ended. Connections of parts are ended at most `limit` in a holding, so that
/// 100,000 parts that end in one action do not delay other actions for long.
struct Endings {
  /// How many connections and nodes are torn down in one holding of the lock.
  static let limit = 512

  /// The ended connections of which some work has not ended, by number.
  var unfinished: [UInt64: Connected] = [:]
  /// The connections that were left when the last handle was released, in reverse order, without those ended since.
  fileprivate var remaining: [Connected] = []
  /// Whether the last handle was released: the state is released once everything has ended.
  fileprivate var isLast = false
  /// The nodes of parts that have ended and at which something may still be connected.
  fileprivate var nodes: [Node] = []
  /// The nodes of collections that ended at once, each list taken from its end.
  fileprivate var lists: [[Node]] = []
  /// Whether a command that continues the tear-down is in the mailbox.
  fileprivate var isContinuing = false

  var isEmpty: Bool { remaining.isEmpty && nodes.isEmpty && lists.isEmpty }

  func forEachNode(_ body: (Node) -> Void) {
    nodes.forEach(body)
    for list in lists { list.forEach(body) }
  }

  /// The node that is torn down now.
  fileprivate mutating func next() -> Node? {
    if nodes.isEmpty, var list = lists.popLast() {
      if let node = list.popLast() { nodes.append(node) }
      if !list.isEmpty { lists.append(list) }
    }
    return nodes.last
  }
}

extension Engine {
  /// A part of the state has ended: from here on nothing of it is admitted, starts or is updated. What is connected at
  /// its node is ended at the end of this turn or, beyond `Endings.limit` connections, in later turns.
  func endPart(_ scope: Scope, at node: Node) {
    fence(scope)
    due.changes = true
    endings.nodes.append(node)
  }

  /// Many parts of one scope have ended: fences them at once and tears them down as `endPart` does.
  func endParts(_ scope: Scope, at nodes: [Node]) {
    fence(scope)
    due.changes = true
    if !nodes.isEmpty { endings.lists.append(nodes) }
  }

  /// Fences everything of a part: the one assignment that `Scope.isOver` reads.
  private func fence(_ scope: Scope) {
    updates.withLock { _ in scope.isEnded = true }
    if let run = turn.run, run.connected.scope.isWithin(scope) { run.partEnded = turn.sequence }
  }

  /// Ends everything after the last handle was released, then releases the state.
  func endLast(_ connected: [Connected]) {
    endings.remaining = connected.reversed()
    endings.isLast = true
    tearDownSome()
  }

  /// Ends at most `Endings.limit` connections and nodes of parts; a command in the mailbox continues.
  func tearDownSome() {
    if endings.isContinuing { return }
    var rest = Endings.limit
    while rest > 0, tearDownOne() { rest -= 1 }
    if endings.isEmpty {
      if endings.isLast { releaseState() }
      return
    }
    endings.isContinuing = true
    post(through: scope, site: CallSite(fileID: #fileID, line: #line)) { _ in
      self.endings.isContinuing = false
      self.tearDownSome()
    }
  }

  /// - Returns: `false` if nothing is left.
  private func tearDownOne() -> Bool {
    if let connected = endings.remaining.popLast() {
      end(connected)
    } else if let node = endings.next() {
      if let connected = node.anyConnected {
        end(connected)
      } else {
        decided.release(endings.nodes.removeLast())
      }
    } else {
      return false
    }
    return true
  }
}
