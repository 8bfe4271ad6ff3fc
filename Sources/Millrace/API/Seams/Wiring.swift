/// What one call of a `connect` function or of a lifetime's closure has connected, in order: values that a test or a tool
/// asks what a store would do.
package struct Wiring: Sendable {
  package fileprivate(set) var effects: [any WiredEffect] = []
  package fileprivate(set) var lifetimes: [any WiredLifetime] = []
  /// The components and views.
  package fileprivate(set) var components: [ConnectionIdentity] = []
  /// What was dispatched, as the store's actions.
  package fileprivate(set) var sent: [any Sendable] = []
  /// The states that were read, of the stores that were handed to the function.
  package fileprivate(set) var read: [any Sendable] = []
  /// Connections of other calls that were ended.
  package fileprivate(set) var ended: [ConnectionIdentity] = []
  fileprivate var attachments: [Attachment] = []
}

/// An effect in its place. Used by the thread of its ``WiringStore``.
package protocol WiredEffect<Effect>: AnyObject, Sendable {
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
package protocol WiredLifetime<ID>: AnyObject, Sendable {
  associatedtype ID: Hashable
  var connection: ConnectionIdentity { get }
  /// The parts in the state that the store looks at.
  func ids() -> [ID]
  /// Calls the closure with a store of one of these parts.
  func wiring(of id: ID) -> Wiring
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
    store = Store(initialState: state, on: .immediate, options: options) { recorder.record(sent: $1) }
    self.recorder = recorder
    guard let place = store.host?.place else { preconditionFailure("a store that is held has its state") }
    self.place = place
  }

  /// Looks at another state from here on.
  package func look(at state: State) { withUnsafePointer(to: state) { place.put(Lent(pointer: $0)) } }

  /// Calls a `connect` function.
  package func wiring(of connect: (Store<State, Action>) -> Void) -> Wiring {
    recorder.wiring(in: []) { connect(store) }
  }
}

/// Stands for the id of a part that has none.
struct NoPartID: Hashable, Sendable {}

/// Collects what is connected while a `connect` function or a lifetime's closure is called.
package final class WiringRecorder: Sendable {
  private let calls = Lock((wiring: Wiring(), parts: [AnyHashable](), all: [Attachment]()))

  fileprivate func wiring(in parts: [AnyHashable], _ connect: () -> Void) -> Wiring {
    let outer = calls.withLock { calls in
      defer { (calls.wiring, calls.parts) = (Wiring(), parts) }
      return (calls.wiring, calls.parts)
    }
    connect()
    var (wiring, all) = calls.withLock { calls in
      defer { (calls.wiring, calls.parts) = outer }
      return (calls.wiring, calls.all)
    }
    let ended = Set(wiring.attachments.filter { $0.phase == .ended }.map(\.id))
    if !ended.isEmpty {
      wiring.effects.removeAll { ended.contains($0.connection.number) }
      wiring.lifetimes.removeAll { ended.contains($0.connection.number) }
      wiring.components.removeAll { ended.contains($0.number) }
    }
    wiring.ended = all.filter { $0.phase == .ended }.map(\.identity)
    all = (all + wiring.attachments).filter { $0.phase != .ended }
    calls.withLock { $0.all = all }
    return wiring
  }

  /// The parts to which what is connected now belongs.
  fileprivate var parts: [AnyHashable] { calls.withLock { $0.parts } }

  fileprivate func record(_ attachment: Attachment, _ change: (inout Wiring) -> Void) {
    calls.withLock { calls in
      calls.wiring.attachments.append(attachment)
      change(&calls.wiring)
    }
  }

  func record(component attachment: Attachment) {
    record(attachment) { $0.components.append(attachment.identity) }
  }

  func record(sent action: any Sendable) { calls.withLock { $0.wiring.sent.append(action) } }

  func record(read state: any Sendable) { calls.withLock { $0.wiring.read.append(state) } }
}

extension Store {
  func wire<Effect: EffectComponent>(
    _ effect: Effect, at attachment: Attachment, _ route: Route<State, Effect.State>,
    _ action: @escaping @Sendable (Effect.Action) -> Action, _ wiring: WiringRecorder
  ) -> Connection {
    let wired = WiredPlace(effect, attachment.identity, wiring.parts, self, route, action)
    wiring.record(attachment) { $0.effects.append(wired) }
    return Connection(attachment, in: engine)
  }

  func wire<ID: Hashable, Part: Sendable>(
    _ attachment: Attachment, _ wiring: WiringRecorder, ids: @escaping (Lent<State>) -> [ID],
    finding find: @escaping (ID) -> PartFinding<State, Part>,
    begin: @escaping (ID, Lifetime<Part>) -> Void
  ) -> Connection {
    let (engine, backend, parts) = (engine, backend, wiring.parts)
    let wired = WiredParts(connection: attachment.identity) {
      var found: [ID] = []
      backend.read(engine) { found = ids($0) }
      return found
    } begin: { id in
      var part: StatePlace<Part>?
      backend.read(engine) { find(id)($0) { part = StatePlace($0.value) } }
      guard let part else { return Wiring() }
      let scope = Scope(parent: attachment.inner, isMortal: true)
      let place = WatchedNode(node: engine.root, value: part)
      let partID = AnyHashable(id)
      return wiring.wiring(in: partID.base is NoPartID ? parts : parts + [partID]) {
        begin(id, Lifetime(scope: scope, place: place))
      }
    }
    wiring.record(attachment) { $0.lifetimes.append(wired) }
    return Connection(attachment, in: engine)
  }
}

private final class WiredPlace<Effect: EffectComponent, State: Sendable, Action: Sendable>: WiredEffect,
  @unchecked Sendable  // used by one thread
{
  let effect: Effect
  let connection: ConnectionIdentity
  let parts: [AnyHashable]
  private let store: Store<State, Action>
  private let route: Route<State, Effect.State>
  private let action: @Sendable (Effect.Action) -> Action

  init(
    _ effect: Effect, _ connection: ConnectionIdentity, _ parts: [AnyHashable], _ store: Store<State, Action>,
    _ route: Route<State, Effect.State>, _ action: @escaping @Sendable (Effect.Action) -> Action
  ) {
    (self.effect, self.connection, self.parts) = (effect, connection, parts)
    (self.store, self.route, self.action) = (store, route, action)
  }

  func requests() -> Set<Effect.Request> {
    var requests: Set<Effect.Request> = []
    store.backend.read(store.engine) { route.read($0) { requests = $0.lend { effect.requests(in: $0) } } }
    return requests
  }

  func storeAction(of action: Effect.Action) -> any Sendable {
    let sent = store.engine.wiring?.wiring(in: []) {
      _ = store.backend.send(
        self.action(action), through: store.account, store.engine, Sending(site: connection.site))
    }
    .sent.last
    guard let sent else { preconditionFailure("a store that runs nothing records each action") }
    return sent
  }
}

private final class WiredParts<ID: Hashable>: WiredLifetime,
  @unchecked Sendable  // used by one thread
{
  let connection: ConnectionIdentity
  private let find: () -> [ID]
  private let begin: (ID) -> Wiring

  init(connection: ConnectionIdentity, ids: @escaping () -> [ID], begin: @escaping (ID) -> Wiring) {
    (self.connection, find, self.begin) = (connection, ids, begin)
  }

  func ids() -> [ID] { find() }
  func wiring(of id: ID) -> Wiring { begin(id) }
}
