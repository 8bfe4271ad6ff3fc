/// The connections that one call of a `connect` function or of a lifetime's closure makes, in order, as values: a test or
/// a tool asks them what a store would do.
package struct Wiring {
  package internal(set) var effects: [any WiredEffect] = []
  package internal(set) var lifetimes: [any WiredLifetime] = []
  /// The components and views.
  package internal(set) var components: [ConnectionIdentity] = []
  /// The actions that were dispatched, as the store's, each with the number of connections that were made before.
  package internal(set) var sent: [(action: any Sendable, after: Int)] = []
  /// The states that were read, of the stores that were handed to the function.
  package internal(set) var read: [any Sendable] = []
  /// Connections that were ended, of this call and of others before.
  package internal(set) var ended: [ConnectionIdentity] = []
}

/// An effect in its place. Used by the thread of its ``WiringStore``.
package protocol WiredEffect<Effect> {
  associatedtype Effect: EffectComponent
  var effect: Effect { get }
  var connection: ConnectionIdentity { get }
  /// The ids of the parts of the state to which it belongs, outermost first.
  var parts: [AnyHashable] { get }
  /// The requests of the state that the store looks at.
  func requests() -> Set<Effect.Request>
  /// The store's action that an action of the effect's becomes.
  func storeAction(of action: Effect.Action) -> any Sendable
}

/// A lifetime in its place. Used by the thread of its ``WiringStore``.
package protocol WiredLifetime<ID> {
  associatedtype ID: Hashable
  var connection: ConnectionIdentity { get }
  /// The parts in the state that the store looks at.
  var ids: () -> [ID] { get }
  /// The revision of the collection that the parts are elements of, and the elements that were touched since another one:
  /// `nil` if that is unknown, or one is gone.
  var touched: (Revision?) -> (now: Revision?, ids: [ID]?) { get }
  /// Calls the closure with a store of one of these parts.
  var wiring: (ID) -> Wiring { get }
}

/// A store that runs nothing: what its `connect` functions do is recorded, and asked for the state that it looks at. Used
/// by one thread.
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
    guard let root = store.root else { preconditionFailure("a store that is held has its state") }
    place = root.place
  }

  /// Looks at another state from here on.
  package func look(at state: State) { Box(state).read(place.put) }

  /// Reduces an action where the state is that is looked at: so nothing keeps a copy that would make the reducer copy.
  package func reduce(_ action: Action, by reducer: Reducer<State, Action>) {
    Box(action).read { place.change(by: reducer, $0) }
  }

  /// The state that is looked at.
  package var state: State { place.borrowed.value }

  /// Calls a `connect` function.
  package func wiring(of connect: (Store<State, Action>) -> Void) -> Wiring {
    recorder.wiring(in: []) { connect(store) }
  }
}

/// Stands for the id of a part that has none.
struct NoPartID: Hashable, Sendable {}

/// Collects what is connected while a `connect` function or a lifetime's closure is called.
package final class WiringRecorder: Sendable {
  private let calls = Lock((wiring: Wiring(), parts: [AnyHashable](), connected: [Connected]()))

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

  /// The parts to which what is connected now belongs.
  fileprivate var parts: [AnyHashable] { calls.withLock { $0.parts } }

  func record(_ connected: Connected? = nil, _ change: (inout Wiring) -> Void) {
    calls.withLock { calls in
      if let connected { calls.connected.append(connected) }
      change(&calls.wiring)
    }
  }
}

extension Engine {
  /// Where a store that runs nothing records what is connected; `nil` for every other store.
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
    let effect = effect  // so that the closure looks up no type of this
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
