/// The tree of watched slices. Guarded by the turn lock.
struct Tree {
  /// Made with the first connection.
  var root: Node?
  /// Made with the root.
  var released: ReleasedValues?
  /// Whether the tree is being served. Meanwhile nothing is added to it or removed from it.
  var isServing = false
  /// Whether the closure of a lifetime is being called. Its connections are made in the same turn.
  var isBeginningPart = false
}

/// Changes of the tree of slices that wait for the end of its serving. So no change of a slice is missed, and no list
/// changes during its iteration. Not in `Tree`, since every access of it would be checked while a call changes a list.
struct TreeChanges {
  /// A connection to make.
  struct Arrival {
    let connected: Connected
    /// Finds the node of its slice, in the turn of the connection; `nil` if `findNode()` does, and for a tap.
    let find: (() -> Node)?
  }

  var arrivals = Fifo<Arrival>()
  var removals: [Connected] = []
}

extension Engine {
  /// Connects in a turn of its own or, if called in the closure of a lifetime, at the end of the current turn.
  func connect(_ connected: Connected, at find: (() -> Node)? = nil) {
    if let recorder = options.wiring { return recorder.connects(connected) }
    let arrival = TreeChanges.Arrival(connected: connected, find: find)
    if isInsideTurn, tree.isBeginningPart, !isClosing(connected.account, isOfPart: true) {
      due.changes = true
      return changes.arrivals.append(arrival)
    }
    post(through: connected.account, site: connected.site) { phase in
      // A connection that was requested before the end is made even during the shutdown. It starts nothing, but gets
      // the actions that were accepted after it.
      if phase == .open { self.attach(arrival) } else { self.end(connected) }
    }
  }

  /// The root of the tree.
  var root: Node {
    if let root = tree.root { return root }
    let root = makeRoot()
    tree.root = root
    return root
  }

  private func attach(_ arrival: TreeChanges.Arrival) {
    let connected = arrival.connected
    guard connected.phase == .pending else { return }
    if connected.account.isOver { return end(connected) }
    connected.phase = .connected
    emit { .connected(connected.identity) }  // before the selector, which may end the connection
    let outer = turn.evaluation
    turn.evaluation = .selecting
    tree.isServing = true  // so that a selector that ends another connection removes no node
    let node = arrival.find?() ?? connected.findNode() ?? connected.account.innermostPlace ?? root
    tree.isServing = false
    if connected.phase == .connected {
      node.add(connected)
      connected.connectionBegan()
      if let display = connected as? Display { displayBegan(display, at: node) }
    } else {
      node.removeIfUnused()
      workEnded(of: connected)  // a selector has ended the connection
    }
    turn.evaluation = outer
  }

  /// Ends a connection: from now on it changes no state, and none of its updates is committed.
  func end(_ connected: Connected) {
    guard connected.phase != .ended else { return }
    let wasConnected = connected.phase == .connected
    connected.phase = .ended
    connected.node?.count(connected, by: -1)
    if tree.isServing {
      due.changes = true
      changes.removals.append(connected)
      (connected as? Keeper)?.forEachPart { $0.partEnded() }
    } else {
      connected.node?.remove(connected)
    }
    // On record until its last work ends. A recording looks for its work as it ends, and begins its own then.
    if updates.withLock({ _ in connected.ownWork }) > 0 { endings.unfinished[connected.id] = connected }
    connected.connectionEnded()
    if let display = connected as? Display { displayEnded(display) }
    if wasConnected { emit { .disconnected(connected.identity) } }
    workEnded(of: connected)
  }

  /// Some work of a connection has ended. Marks its awaiters for a check. If the connection has ended and this was its
  /// last work, releases what the user connected.
  func workEnded(of connected: Connected) {
    awaiters.workEnded(of: connected)
    // Recorded connections are evaluated later.
    guard connected.phase == .ended, options.wiring == nil else { return }
    let (isOver, kept) = updates.withLock { _ in
      connected.ownWork == 0 ? (true, connected.forget()) : (false, nil)
    }
    guard isOver else {
      endings.unfinished[connected.id] = connected
      return
    }
    if !endings.unfinished.isEmpty { endings.unfinished[connected.id] = nil }
    if let kept { decide { $0.release(kept) } }
  }

  /// Calls the closure of a lifetime. Its connections are made at the end of this turn.
  func beginPart(_ connect: () -> Void) {
    let outer = (tree.isBeginningPart, turn.evaluation)
    (tree.isBeginningPart, turn.evaluation) = (true, .none)
    CurrentWork.cleared(connect)
    (tree.isBeginningPart, turn.evaluation) = outer
  }

  /// Makes the changes of the tree that waited for the end of its serving, and the changes that follow from these.
  func changeTree() {
    if !due.changes || tree.isServing || tree.isBeginningPart { return }
    due.changes = false
    repeat {
      let removals = changes.removals
      changes.removals = []
      for connected in removals { connected.node?.remove(connected) }
      if let arrival = changes.arrivals.takeFirst() {
        attach(arrival)
        decide { $0.keep(arrival) }  // it may hold the last reference to the user's closures
      }
    } while !changes.arrivals.isEmpty || !changes.removals.isEmpty
    tearDownSome()
  }

  /// All connections of `account` and of accounts below it, including those of ended parts that are not torn down.
  func allConnected(in account: Account) -> [Connected] {
    var found: [Connected] = []
    func add(_ connected: Connected) {
      if connected.phase == .connected, connected.account.isWithin(account) { found.append(connected) }
    }
    for node in endings.nodes { node.forEachConnected(add) }
    tree.root?.forEachConnected(add)
    return found
  }
}
