/// The connections that one call of a `connect` function or of a lifetime's closure makes, in order. A test or a tool
/// asks them what a store would do.
package struct Wiring {
  package internal(set) var effects: [any WiredEffect] = []
  package internal(set) var lifetimes: [any WiredLifetime] = []
  /// The components and views.
  package internal(set) var components: [ConnectionIdentity] = []
  /// The dispatched actions as actions of the store, each with the number of connections made before it.
  package internal(set) var sent: [(action: any Sendable, after: Int)] = []
  /// The states that the function read from the stores that it was given.
  package internal(set) var read: [any Sendable] = []
  /// The connections that were ended, made by this call or before.
  package internal(set) var ended: [ConnectionIdentity] = []
}

/// A connected effect. Used by the thread of its ``WiringStore``.
package protocol WiredEffect<Effect> {
  associatedtype Effect: EffectComponent
  var effect: Effect { get }
  var connection: ConnectionIdentity { get }
  /// The ids of the parts of the state to which the effect belongs, outermost first.
  var parts: [AnyHashable] { get }
  /// The requests of the effect in the current state of the ``WiringStore``.
  func requests() -> Set<Effect.Request>
  /// The store's action for an action of the effect.
  func storeAction(of action: Effect.Action) -> any Sendable
}

/// A connected lifetime. Used by the thread of its ``WiringStore``.
package protocol WiredLifetime<ID> {
  associatedtype ID: Hashable
  var connection: ConnectionIdentity { get }
  /// The parts in the current state of the ``WiringStore``.
  var ids: () -> [ID] { get }
  /// The current revision of the collection, and the elements that changed after an earlier revision. The elements are
  /// `nil` if they are unknown, or if one was removed.
  var touched: (Revision?) -> (now: Revision?, ids: [ID]?) { get }
  /// Calls the closure with a store of one of these parts.
  var wiring: (ID) -> Wiring { get }
}

/// A store that runs nothing. It records the calls of its `connect` functions, and evaluates the connections for a
/// state that it is given. Used by one thread.
package final class WiringStore<State: Sendable, Action: Sendable> {
  private let store: Store<State, Action>
  private let recorder: WiringRecorder
  private let place: StatePlace<State>

  package init(_ state: State, options: StoreOptions = StoreOptions()) {
    let recorder = WiringRecorder()
    var options = options
    options.seams.wiring = recorder
    store = Store(initialState: state, on: .immediate, options: options) { _, sent in
      recorder.record { $0.sent.append((sent, $0.lifetimes.count + $0.effects.count + $0.components.count)) }
    }
    self.recorder = recorder
    guard let place = store.root?.place else { preconditionFailure("a store that is held has its state") }
    self.place = place
  }

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
    recorder.wiring(in: []) { connect(store) }
  }
}

/// The id of a part whose type has none.
struct NoPartID: Hashable, Sendable {}

/// Records what is connected while a `connect` function or a lifetime's closure is called.
package final class WiringRecorder: Sendable {
  private let calls = Lock(
    (wiring: Wiring(), parts: [AnyHashable](), connected: [Connected](), isOver: false))

  fileprivate func wiring(in parts: [AnyHashable], _ connect: () -> Void) -> Wiring {
    let outer = calls.withLock { ($0.wiring, $0.parts) }
    calls.withLock { ($0.wiring, $0.parts) = (Wiring(), parts) }
    connect()
    return calls.withLock { calls in
      var wiring = calls.wiring
      (calls.wiring, calls.parts) = outer
      wiring.ended = calls.connected.filter { $0.phase == .ended }.map(\.identity)
      calls.connected.removeAll { $0.phase == .ended }
      return wiring
    }
  }

  /// The ids of the parts to which a new connection belongs.
  fileprivate var parts: [AnyHashable] { calls.withLock { $0.parts } }

  fileprivate func forget() {
    // Released outside of the lock, since a `deinit` of the user may call anything.
    _ = calls.withLock { calls in
      let kept = calls
      calls = (Wiring(), [], [], isOver: true)
      return kept
    }
  }

  func record(_ connected: Connected? = nil, _ change: (inout Wiring) -> Void) {
    calls.withLock { calls in
      if calls.isOver { return }
      if let connected { calls.connected.append(connected) }
      change(&calls.wiring)
    }
  }
}

extension Engine {
  /// The recorder of a store that runs nothing; `nil` for every other store.
  var wiringRecorder: WiringRecorder? { options.wiring.flatMap { $0 as? WiringRecorder } }
}

extension Store {
  func wire<Effect: EffectComponent>(
    _ effect: Effect, _ connected: Connected, _ slice: Backend<Effect.State, Effect.Action>,
    _ wiring: WiringRecorder
  ) -> Connection {
    let wired = WiredPlace(
      effect: effect, connection: connected.identity, parts: wiring.parts, slice: slice, account: account,
      engine: engine)
    wiring.record(connected) { $0.effects.append(wired) }
    return Connection(connected, in: engine)
  }

  func wire<ID: Hashable, Part: Sendable>(
    _ connected: Connected, _ wiring: WiringRecorder, ids: @escaping (Borrowed<State>) -> [ID],
    touched: @escaping (Revision?) -> (now: Revision?, ids: [ID]?) = { _ in (nil, nil) },
    finding find: @escaping (ID, Borrowed<State>, (Borrowed<Part>) -> Void) -> Void,
    begin: @escaping (ID, Lifetime<Part>) -> Void
  ) -> Connection {
    let (engine, backend, parts) = (engine, backend, wiring.parts)
    let present = { () -> [ID] in
      var found: [ID] = []
      backend.read(engine) { found = ids($0) }
      return found
    }
    let connect = { (id: ID) -> Wiring in
      var part: StatePlace<Part>?
      backend.read(engine) { find(id, $0) { part = StatePlace($0.value) } }
      guard let part else { return Wiring() }
      let place = WatchedNode(node: engine.root, value: part)
      let lifetime = Lifetime(account: Account(parent: connected.inner, isMortal: true), place: place)
      let partID = AnyHashable(id)
      return wiring.wiring(in: partID.base is NoPartID ? parts : parts + [partID]) { begin(id, lifetime) }
    }
    let wired = WiredParts(connection: connected.identity, ids: present, touched: touched, wiring: connect)
    wiring.record(connected) { $0.lifetimes.append(wired) }
    return Connection(connected, in: engine)
  }
}

private struct WiredPlace<Effect: EffectComponent>: WiredEffect {
  let effect: Effect
  let connection: ConnectionIdentity
  let parts: [AnyHashable]
  let slice: Backend<Effect.State, Effect.Action>
  let account: Account
  let engine: Engine

  func requests() -> Set<Effect.Request> {
    let effect = effect  // so that the closure looks up no type of `self`
    var requests: Set<Effect.Request> = []
    slice.read(engine) { requests = $0.read { effect.requests(in: $0) } }
    return requests
  }

  func storeAction(of action: Effect.Action) -> any Sendable {
    let wiring = engine.wiringRecorder!.wiring(in: []) {
      _ = slice.send(action, through: account, engine, Sending(site: connection.site))
    }
    return wiring.sent.last!.action  // such a store has a recorder, which records every action
  }
}

private struct WiredParts<ID: Hashable>: WiredLifetime {
  let connection: ConnectionIdentity
  let ids: () -> [ID]
  let touched: (Revision?) -> (now: Revision?, ids: [ID]?)
  let wiring: (ID) -> Wiring
}
