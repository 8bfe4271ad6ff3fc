/// What has ended and has not been torn down, or has work that has not returned. Guarded by the turn lock.
///
/// All of it is fenced from the turn in which it ended. Connections of parts are ended at most `limit` in a holding, so that
/// 100,000 parts that end in one action do not delay other actions for long.
struct Endings {
  /// How many connections and nodes are torn down in one holding of the lock.
  static let limit = 512

  /// The ended connections of which some work has not ended, by number.
  var unfinished: [UInt64: Connected] = [:]
  /// Whether the last handle was released: the state is released once everything has ended.
  fileprivate var isLast = false
  /// The nodes of parts that have ended and at which something may still be connected.
  fileprivate(set) var nodes: [Node] = []
  /// Whether a command that continues the tear-down is in the mailbox.
  fileprivate var isContinuing = false
}

extension Engine {
  /// Parts of the state have ended: from here on nothing of them is admitted, starts or is updated. What is connected at
  /// their nodes is ended at the end of this turn or, beyond `Endings.limit` connections, in later turns.
  ///
  /// - Parameter account: what all of them belong to. It is fenced by the one assignment that `Account.isOver` reads.
  func endParts(of account: Account, at nodes: [Node]) {
    updates.withLock { _ in account.isEnded = true }
    if let run = turn.run, run.connected.account.isWithin(account) { run.partEnded = turn.sequence }
    due.changes = true
    if endings.nodes.isEmpty { endings.nodes = nodes } else { endings.nodes += nodes }
  }

  /// Ends everything after the last handle was released, then releases the state.
  func endAll() {
    endings.isLast = true
    if let root = tree.root.take() { endings.nodes.insert(root, at: 0) }
    tearDownSome()
  }

  /// Ends at most `Endings.limit` connections and nodes of parts; a command in the mailbox continues.
  func tearDownSome() {
    if endings.isContinuing { return }
    var rest = Endings.limit
    while rest > 0, tearDownOne() { rest -= 1 }
    if endings.nodes.isEmpty {
      if endings.isLast { releaseState() }
      return
    }
    endings.isContinuing = true
    post(through: account, site: CallSite(fileID: #fileID, line: #line)) { _ in
      self.endings.isContinuing = false
      self.tearDownSome()
    }
  }

  /// - Returns: whether there was something to end.
  private func tearDownOne() -> Bool {
    guard let node = endings.nodes.last else { return false }
    for case .end(let kinds) in (endings.isLast ? Ending.lastHandle : .part).steps {
      guard let connected = node.anyConnected(of: kinds) else { continue }
      end(connected)
      return true
    }
    decided.release(endings.nodes.removeLast())
    return true
  }
}
