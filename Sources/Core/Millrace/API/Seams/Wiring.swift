/// What one call of a `connect` function or of a lifetime's closure has done. A test or a tool asks its connections
/// what a store would do.
package struct Wiring {
  package enum Statement {
    case effect(any WiredEffect)
    case lifetime(any WiredLifetime)
    /// Connects a component or a view.
    case component(ConnectionIdentity)
    /// Dispatches an action of the store.
    case sends(any Sendable)
  }

  /// The statements in order, with connections that have ended again.
  package fileprivate(set) var statements: [Statement] = []
  /// The states that the function read from the stores that it was given.
  package fileprivate(set) var read: [any Sendable] = []
  /// The connections that were ended, made by this call or before.
  package fileprivate(set) var ended: [ConnectionIdentity] = []
}

/// A connected effect. Used by the thread of its ``WiringStore``.
package protocol WiredEffect<Effect> {
  associatedtype Effect: EffectComponent
  var effect: Effect { get }
  var identity: ConnectionIdentity { get }
  /// The ids of the parts of the state to which the effect belongs, outermost first.
  var partIDs: [AnyHashable] { get }
  /// The requests of the effect in the current state of the ``WiringStore``.
  func requestsOfState() -> Set<Effect.Request>
  /// The store's action for an action of the effect.
  func storeAction(of action: Effect.Action) -> any Sendable
}

/// A connected lifetime. Used by the thread of its ``WiringStore``, which it does not keep.
package protocol WiredLifetime<ID> {
  associatedtype ID: Hashable
  var identity: ConnectionIdentity { get }
  /// The parts in the current state of the ``WiringStore``.
  func ids() -> [ID]
  /// The current revision of the collection; `nil` only if it is empty, or for an optional slice.
  var revision: Revision? { get }
  /// The elements that changed after an earlier revision; `nil` if they are unknown, or if one was removed.
  func idsTouched(since former: Revision) -> [ID]?
  /// Calls the closure with a store of one of these parts.
  func wiring(of id: ID) -> Wiring
}

/// A store that runs nothing. It records the calls of its `connect` functions, and evaluates the connections for a
/// state that it is given. Used by one thread.
package final class WiringStore<State: Sendable, Action: Sendable> {
  private let store: Store<State, Action>
  private let recorder: WiringRecorder

  package init(_ state: State, options: StoreOptions = StoreOptions()) {
    let recorder = WiringRecorder()
    var options = options
    options.seams.wiring = recorder
    store = Store(initialState: state, on: .immediate, options: options) { recorder.sends($1) }
    self.recorder = recorder
  }

  private var place: StatePlace<State> { store.root!.place! }  // no scope, and never ended

  // What is connected keeps the engine, and the engine's recorder keeps what is connected.
  deinit { recorder.forget() }

  /// Evaluates the connections for another state from now on.
  package func look(at state: State) { Box(state).read(place.put) }

  /// Reduces an action in place, so that the reducer copies no part of the state.
  package func reduce(_ action: Action, by reducer: Reducer<State, Action>) {
    Box(action).read { place.change(by: reducer, $0) }
  }

  /// The current state.
  package var state: State { place.borrowed.value }

  /// Calls a `connect` function.
  package func wiring(of connect: (Store<State, Action>) -> Void) -> Wiring {
    recorder.wiring { connect(store) }
  }
}

/// Records what is connected while a `connect` function or a lifetime's closure is called.
private final class WiringRecorder: ConnectionRecorder {
  private struct Calls {
    var wiring = Wiring()
    var connected: [Connected] = []

    mutating func exchange(_ other: inout Wiring) { swap(&wiring, &other) }

    mutating func takeEnded() -> [ConnectionIdentity] {
      let ended = connected.filter { $0.phase == .ended }
      connected.removeAll { $0.phase == .ended }
      return ended.map(\.identity)
    }
  }

  /// `nil` when the store is gone.
  private let calls = Lock<Calls?>(Calls())

  func wiring(_ connect: () -> Void) -> Wiring {
    var wiring = Wiring()
    calls.withLock { $0?.exchange(&wiring) }
    connect()
    calls.withLock {
      $0?.exchange(&wiring)
      wiring.ended = $0?.takeEnded() ?? []
    }
    return wiring
  }

  /// Releases what was recorded outside of the lock, since a `deinit` of the user may call anything.
  func forget() { _ = calls.withLock { $0.take() } }

  func connects(_ connected: Connected) {
    let statement: Wiring.Statement
    switch connected {
    case let effect as any WiredEffect: statement = .effect(effect)
    case let lifetime as any WiredLifetime: statement = .lifetime(lifetime)
    case _ where connected.kind == .receiver: statement = .component(connected.identity)
    default: return
    }
    calls.withLock {
      $0?.connected.append(connected)
      $0?.wiring.statements.append(statement)
    }
  }

  func sends(_ action: some Sendable) { calls.withLock { $0?.wiring.statements.append(.sends(action)) } }
  func reads(_ state: some Sendable) { calls.withLock { $0?.wiring.read.append(state) } }
}

// MARK: - Connections of an engine that records them

extension Engine {
  fileprivate func wiring(_ connect: () -> Void) -> Wiring {
    (options.wiring as? WiringRecorder)?.wiring(connect) ?? Wiring()
  }
}

extension ConnectedEffect: WiredEffect {
  func requestsOfState() -> Set<Effect.Request> {
    var requests: Set<Effect.Request> = []
    placed?.backend.read(engine) { [effect] state in requests = state.read { effect.requests(in: $0) } }
    return requests
  }

  func storeAction(of action: Effect.Action) -> any Sendable {
    let wiring = engine.wiring { post(action, Sending(site: site)) }
    guard case .sends(let sent) = wiring.statements.last else { preconditionFailure("actions are recorded") }
    return sent
  }
}

extension PartKeeper {
  fileprivate func read<Slice, Result>(
    _ slice: Projection<Whole, Slice>, _ body: (Borrowed<Slice>) -> Result?
  ) -> Result? {
    var result: Result?
    backend?.read(engine) { result = slice.withPart(of: $0, body) }
    return result
  }

  /// Calls the closure with a part that is in no tree.
  fileprivate func wiring<Part: Equatable & Sendable>(of id: ID, _ box: Box<Part>?) -> Wiring {
    guard let box, let connect else { return Wiring() }
    let account = Account(parent: inner, isMortal: true)
    let node = PartNode(holding: box, under: engine.root, in: account) { _ in .whole }
    return engine.wiring { connect(id, node) }
  }
}

extension ConnectedPart: WiredLifetime {
  private var present: Box<Part>? { read(optional) { $0.value.map { Box($0) } } }

  func ids() -> [AnyHashable] { present.map { [.id(of: $0.value) ?? AnyHashable(NoPartID())] } ?? [] }
  var revision: Revision? { nil }
  func idsTouched(since _: Revision) -> [AnyHashable]? { nil }
  func wiring(of _: AnyHashable) -> Wiring { wiring(of: NoPartID(), present) }
}

extension ConnectedElements: WiredLifetime {
  func ids() -> [Element.ID] { read(collection) { $0.value.map(\.id) } ?? [] }
  var revision: Revision? { read(collection) { $0.read(\.revision) } }
  func idsTouched(since former: Revision) -> [Element.ID]? {
    read(collection) { $0.read { $0.idsTouched(since: former) } }
  }

  func wiring(of id: Element.ID) -> Wiring {
    wiring(
      of: id, read(collection) { $0.read { $0.withElement(id: id) { Box(copying: Borrowed(pointer: $0)) } } })
  }
}
