/// What is behind a store handle: the store itself, or a scope of another backend.
///
/// Backends are held by whoever sends through them, also by runs that outlive the store; none holds the engine.
protocol StoreBackend<State, Action>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  /// Sends an action. `false`: refused; the sender has been told.
  func send(_ action: Action, _ sending: Sending) -> Bool
  /// Sends actions that are reduced in one turn.
  func send(batch: [Action], _ sending: Sending) -> Bool
  /// Calls `body` with the address of the present state. The turn lock must be held.
  func withState(_ engine: Engine, _ body: (UnsafePointer<State>) -> Void)
  /// The place of the state in the tree of watched slices. The turn lock must be held.
  func node(in engine: Engine) -> Node
  /// A recorder was made, and is added when its connection takes its place. What is sent through a scope meanwhile is
  /// marked for it. Callable from anywhere.
  func announce(_ tap: any ActionTap<State, Action>)
  /// Adds a recorder of what is sent through it. The turn lock must be held.
  func add(_ tap: any ActionTap<State, Action>, in engine: Engine)
  /// Removes a recorder. The turn lock must be held.
  func remove(_ tap: any ActionTap<State, Action>, in engine: Engine)
}

/// The store itself.
final class RootBackend<State: Sendable, Action: Sendable>: StoreBackend {
  private weak let engine: Engine?

  init(engine: Engine) { self.engine = engine }

  private func box(_ engine: Engine) -> StateBox<State, Action> {
    // The engine was made with this very box, of these types.
    unsafeDowncast(engine.host, to: StateBox<State, Action>.self)
  }

  func send(_ action: Action, _ sending: Sending) -> Bool {
    guard let engine else { return Self.refuse(sending) }
    return engine.send(action, through: box(engine), sending)
  }

  func send(batch: [Action], _ sending: Sending) -> Bool {
    guard let engine else { return Self.refuse(sending) }
    return engine.send(batch: batch, through: box(engine), sending)
  }

  private static func refuse(_ sending: Sending) -> Bool {
    sending.sender?.refuse()
    return false
  }

  func withState(_ engine: Engine, _ body: (UnsafePointer<State>) -> Void) {
    body(UnsafePointer(box(engine).state))
  }

  func node(in engine: Engine) -> Node { engine.tables.tree }

  func announce(_ tap: any ActionTap<State, Action>) {}

  func add(_ tap: any ActionTap<State, Action>, in engine: Engine) { box(engine).add(tap) }

  func remove(_ tap: any ActionTap<State, Action>, in engine: Engine) {
    box(engine).remove(tap)
  }
}

extension Engine {
  /// Sends an action of the store's own kind.
  func send<State, Action>(
    _ action: Action, through box: StateBox<State, Action>, _ sending: Sending
  ) -> Bool {
    switch sending.mode {
    case .post:
      if post(sending.envelope(1), put: { $0.initializeMemory(as: Action.self, to: action) }) { return true }
      refused(sending, action)
      return false
    case .inTurn:
      if mail.withLock({ isClosed(&$0, sending.scope, count: 1) }) {
        refused(sending, action)
        return false
      }
      reduce(sending.envelope(1), staged: action, by: { box.reduce(action, outcome) })
      return true
    }
  }

  /// Sends actions of the store's own kind that are reduced in one turn.
  func send<State, Action>(
    batch: [Action], through box: StateBox<State, Action>, _ sending: Sending
  ) -> Bool {
    if batch.isEmpty { return !mail.withLock { isClosed(&$0, sending.scope, count: 0) } }
    let isAccepted = post(sending.envelope(batch.count), followers: batch.count - 1) { place, number in
      place.initializeMemory(as: Action.self, to: batch[number])
    }
    if !isAccepted {
      for action in batch { refused(sending, action) }
    }
    return isAccepted
  }

  /// Tells the sender, and in a turn of their own the observers, since telling them waits for the turn lock and
  /// sending must not.
  func refused(_ sending: Sending, _ action: some Sendable) {
    sending.sender?.refuse()
    if mail.withLock({ !$0.isObserved }) { return }
    let cause = sending.envelope(1).cause
    post(in: scope, site: sending.site) { engine, _ in
      engine.emit(.turnedAway(action: action, fate: .refused, cause: cause))
    }
  }
}
