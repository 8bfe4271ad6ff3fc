/// The target of a store handle: the store itself, a scope of another backend, or a part that has a lifetime. They
/// differ in where actions go, where the state is read, and where the state is in the tree.
///
/// Senders hold their backend, also runs that outlive the store; a backend does not hold the engine.
final class Backend<State: Sendable, Action: Sendable>: @unchecked Sendable {  // `taps` has its lock
  /// Sends actions; several are reduced in one turn. Returns whether they were accepted; `nil` if they are to be sent again
  /// as `Sending.isTapped`.
  ///
  /// The engine and the account are parameters of their own: in the `Sending` they would be counted, which costs more than
  /// all the rest where two threads send. Two closures, since a value that is one action or several would be of a generic
  /// type, which is looked up at each call.
  typealias Post = @Sendable (Action, Engine, Account, inout Sending) -> Bool?
  typealias PostBatch = @Sendable ([Action], Engine, Account, inout Sending) -> Bool?
  /// Calls the closure with the present state. The turn lock must be held.
  typealias Read = @Sendable (Engine, (Lent<State>) -> Void) -> Void

  private let postOne: Post
  private let postBatch: PostBatch
  let read: Read
  /// The place of the state in the tree. The turn lock must be held.
  let node: @Sendable (Engine) -> WatchedNode<State>
  /// Guarded by the mailbox lock.
  private var taps: [ActionTap<State, Action>] = []

  private init(
    post: @escaping Post, batch: @escaping PostBatch, read: @escaping Read,
    node: @escaping @Sendable (Engine) -> WatchedNode<State>
  ) {
    postOne = post
    postBatch = batch
    self.read = read
    self.node = node
  }

  /// Sends an action. Where something records what is sent through the scope, it is sent a second time, with echoes: the
  /// first time nothing but the action mappings was called, and their results are used again.
  ///
  /// - Returns: whether it was accepted. If not, a waiting sender has been resumed.
  func send(
    _ action: Action, through account: Account, _ engine: Engine, _ sending: consuming Sending
  ) -> Bool {
    if let isAccepted = pass(action, engine, account, &sending) { return isAccepted }
    sending.isTapped = true
    return pass(action, engine, account, &sending) ?? false
  }

  /// Sends actions that are reduced in one turn.
  func send(
    batch: [Action], through account: Account, _ engine: Engine, _ sending: consuming Sending
  ) -> Bool {
    if let isAccepted = pass(batch: batch, engine, account, &sending) { return isAccepted }
    sending.isTapped = true
    return pass(batch: batch, engine, account, &sending) ?? false
  }

  /// Sends an action, also one that comes from a backend derived from this one.
  private func pass(
    _ action: Action, _ engine: Engine, _ account: Account, _ sending: inout Sending
  ) -> Bool? {
    if sending.isTapped { echo([action], engine, &sending) }
    return postOne(action, engine, account, &sending)
  }

  private func pass(
    batch: [Action], _ engine: Engine, _ account: Account, _ sending: inout Sending
  ) -> Bool? {
    if sending.isTapped { echo(batch, engine, &sending) }
    return postBatch(batch, engine, account, &sending)
  }
}

// MARK: - The kinds

extension Backend {
  /// The store itself.
  static func root() -> Backend {
    Backend(
      post: { action, engine, account, sending in
        let (engine, envelope) = (typed(engine), sending.envelope(1, through: account))
        if sending.isInTurn {
          if !sending.isTapped, engine.mail.withLock({ _ in account.isTapped }) { return nil }
          engine.reduceInTurn(action, envelope)
          return true
        }
        return engine.post(action, envelope, through: account, isTapped: sending.isTapped)
      },
      batch: { actions, engine, account, sending in
        let envelope = sending.envelope(actions.count, through: account)
        return typed(engine).post(batch: actions, envelope, through: account, isTapped: sending.isTapped)
      },
      read: { engine, body in
        let place = typed(engine).place
        if !place.isEmpty { body(place.lent) }
      },
      node: { engine in WatchedNode(node: engine.root, value: typed(engine).place) })
  }

  /// The engine as that of a store of these types.
  private static func typed(_ engine: Engine) -> StateEngine<State, Action> {
    unsafeDowncast(engine, to: StateEngine<State, Action>.self)  // a backend is made with its engine
  }

  /// A slice of another backend's state, with the actions that concern it.
  static func scope<Whole, WholeAction>(
    of whole: Backend<Whole, WholeAction>, _ projection: Projection<Whole, State>,
    _ wrap: @escaping @Sendable (Action) -> WholeAction
  ) -> Backend where State: Equatable {
    Backend(
      post: { action, engine, account, sending in
        sending.mapped({ wrap(action) }) { whole.pass($0, engine, account, &$1) }
      },
      batch: { actions, engine, account, sending in
        sending.mapped({ actions.map(wrap) }) { whole.pass(batch: $0, engine, account, &$1) }
      },
      read: { engine, body in whole.read(engine) { projection.withPart(of: $0, body) } },
      node: { engine in
        let child = whole.node(engine).child(projection)
        return WatchedNode(node: child, value: child)
      })
  }

  /// A part of another backend's state that has a lifetime.
  ///
  /// - Parameters:
  ///   - node: its place in the tree, whose value stays the last one that it had.
  ///   - find: calls the closure with the present part, if the whole has it.
  static func part<Whole, WholeAction>(
    of whole: Backend<Whole, WholeAction>, in account: Account, at node: WatchedNode<State>,
    find: @escaping @Sendable (Lent<Whole>, (Lent<State>) -> Void) -> Void,
    _ wrap: @escaping @Sendable (Action) -> WholeAction
  ) -> Backend {
    nonisolated(unsafe) let node = node  // it is touched with the turn lock held
    return Backend(
      post: { action, engine, account, sending in
        sending.mapped({ wrap(action) }) { whole.pass($0, engine, account, &$1) }
      },
      batch: { actions, engine, account, sending in
        sending.mapped({ actions.map(wrap) }) { whole.pass(batch: $0, engine, account, &$1) }
      },
      read: { engine, body in
        // A part that is gone, also within the very turn in which it goes, shows the last value that it had.
        var isFound = false
        if !account.isOver {
          whole.read(engine) {
            find($0) { state in
              isFound = true
              body(state)
            }
          }
        }
        if !isFound { body(node.value.lent) }
      },
      node: { _ in node })
  }
}

// MARK: - Recording what is sent through a scope

extension Backend {
  /// Records what is sent through the backend from now on. Callable from anywhere.
  func add(_ tap: ActionTap<State, Action>, _ engine: Engine) {
    engine.mail.withLock { _ in
      taps.append(tap)
      tap.account.tapCount += 1
    }
  }

  func remove(_ tap: ActionTap<State, Action>, _ engine: Engine) {
    engine.mail.withLock { _ in
      taps.removeAll { $0 === tap }
      tap.account.tapCount -= 1
    }
  }

  /// Adds an echo for the taps of this backend, which records the actions in the turn in which they are reduced.
  private func echo(_ actions: [Action], _ engine: Engine, _ sending: inout Sending) {
    let taps = engine.mail.withLock { _ in self.taps }
    if taps.isEmpty { return }
    sending.echoes.append { [read] index in
      read(engine) { state in
        for tap in taps { tap.record(actions[index], state) }
      }
    }
  }
}
