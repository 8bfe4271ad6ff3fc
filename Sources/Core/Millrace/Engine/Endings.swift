/// Ended connections and nodes that are not torn down, and ended connections whose work has not returned. Guarded by
/// the turn lock.
///
/// All of them are fenced from the turn in which they ended. One holding tears down at most `limit` of them, so that
/// 100,000 parts that end in one action do not delay other actions for long.
struct Endings {
  /// The number of connections and nodes that one holding of the lock tears down.
  static let limit = 512

  /// The ended connections with work that has not ended, by number.
  var unfinished: [UInt64: Connected] = [:]
  /// The nodes of ended parts, to which something may still be connected.
  fileprivate(set) var nodes: [Node] = []
  /// Whether the root store was released. The state is released when everything has ended.
  fileprivate var isLast = false
  /// Whether a command that continues the tear-down is in the mailbox.
  fileprivate var isContinuing = false
}

extension Engine {
  /// Ends parts of the state. From now on nothing of them is admitted, started or updated. The connections at their
  /// nodes end at the end of this turn or, beyond `Endings.limit` connections, in later turns.
  ///
  /// - Parameter account: the account of all these parts. Setting its `isEnded` fences them all, since `Account.isOver`
  ///   reads it.
  func endParts(of account: Account, at nodes: [Node]) {
    updates.withLock { _ in account.isEnded = true }
    if let run = turn.run, run.connected.account.isWithin(account) { run.partEnded = turn.sequence }
    due.changes = true
    if endings.nodes.isEmpty { endings.nodes = nodes } else { endings.nodes += nodes }
  }

  /// Ends everything after the root store was released, then releases the state.
  func endAll() {
    endings.isLast = true
    if let root = tree.root.take() { endings.nodes.insert(root, at: 0) }
    tearDownSome()
  }

  /// Ends at most `Endings.limit` connections and nodes of parts. A command in the mailbox continues with the rest.
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
    let last = endings.nodes.removeLast()
    decide { $0.release(last) }
    return true
  }
}
