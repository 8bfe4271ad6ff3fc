/// The tree of watched slices, and what is done with it. Guarded by the turn lock.
struct Tree {
  /// Made once something is connected.
  var root: Node?
  /// Whether it is being served: nothing is put in or taken out meanwhile.
  var isServing = false
  /// Whether the closure of a lifetime is being called: what it connects is connected in this very turn.
  var isBeginningPart = false
}

/// Changes of the tree of slices that wait for the end of its serving, so that no change of a slice is swallowed and
/// nothing is gone through that changes meanwhile.
struct TreeChanges {
  /// A connection that is to be made.
  struct Arrival {
    let connected: Connected
    /// Finds its slice in the tree, in the turn in which it is connected; `nil` for what finds it itself, and for a tap.
    let find: (() -> Node)?
  }

  var arrivals = Fifo<Arrival>()
  var removals: [Connected] = []
}

extension Engine {
  /// Connects in a turn of its own or, when called in the closure of a lifetime, at the end of the current turn.
  func connect(_ connected: Connected, at find: (() -> Node)? = nil) {
    if options.wiring != nil { return }
    let arrival = TreeChanges.Arrival(connected: connected, find: find)
    if isInsideTurn, tree.isBeginningPart, !isClosing(connected.account, isOfPart: true) {
      due.changes = true
      return changes.arrivals.append(arrival)
    }
    post(through: connected.account, site: connected.site) { isClosing in
      // A connection made before the end is also connected while shutting down: it starts nothing, but gets the actions
      // that were accepted after it.
      if isClosing { self.end(connected) } else { self.attach(arrival) }
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
    observers.connecting = connected
    emit { .connected(connected.identity) }  // before the selector, which may end it
    observers.connecting = nil
    let outer = turn.evaluation
    turn.evaluation = .selecting
    tree.isServing = true  // a selector that ends another connection takes no node out meanwhile
    let node = arrival.find?() ?? connected.findNode() ?? connected.account.innermostPlace ?? root
    tree.isServing = false
    node.add(connected)
    if connected.phase == .connected {
      connected.connectionBegan()
      if let display = connected as? Display { displayBegan(display, at: node) }
    } else {
      workEnded(of: connected)  // a selector has ended it
    }
    turn.evaluation = outer
  }

  /// Ends a connection: from here on nothing of it touches the state and no update of it is committed.
  func end(_ connected: Connected) {
    guard connected.phase != .ended else { return }
    let wasConnected = connected.phase == .connected
    connected.phase = .ended
    if tree.isServing {
      due.changes = true
      changes.removals.append(connected)
    } else {
      connected.node?.remove(connected)
    }
    endings.unfinished[connected.id] = connected
    connected.connectionEnded()
    if let display = connected as? Display { displayEnded(display) }
    if wasConnected { emit { .disconnected(connected.identity) } }
    workEnded(of: connected)
  }

  /// Some work of a connection has ended: marks its awaiters to be looked at, and releases what the user connected if the
  /// connection has ended and this was its last work.
  func workEnded(of connected: Connected) {
    awaiters.workEnded(of: connected)
    guard connected.phase == .ended else { return }
    let (isOver, kept) = updates.withLock { _ in
      connected.ownWork == 0 ? (true, connected.forget()) : (false, nil)
    }
    guard isOver else { return }
    endings.unfinished[connected.id] = nil
    if let kept { decided.release(kept) }
  }

  /// Calls the closure of a lifetime. What it connects is connected at the end of this turn.
  func beginPart(_ connect: () -> Void) {
    let outer = (tree.isBeginningPart, turn.evaluation)
    (tree.isBeginningPart, turn.evaluation) = (true, .none)
    CurrentWork.cleared(connect)
    (tree.isBeginningPart, turn.evaluation) = outer
  }

  /// Makes the changes of the tree that waited for the end of its serving, and the changes that these lead to.
  func changeTree() {
    if !due.changes || tree.isServing || tree.isBeginningPart { return }
    due.changes = false
    repeat {
      let removals = changes.removals
      changes.removals = []
      for connected in removals { connected.node?.remove(connected) }
      if let arrival = changes.arrivals.takeFirst() {
        attach(arrival)
        decided.keep(arrival)  // it may hold the last reference to closures of the user's
      }
    } while !changes.arrivals.isEmpty || !changes.removals.isEmpty
    tearDownSome()
  }

  /// All that is connected through `account` or one below it, with what has ended and not been torn down.
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
