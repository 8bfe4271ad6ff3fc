/// The arguments that all calls of `connect…` have.
struct Placement {
  var name: String?
  let isBackground: Bool
  let priority: TaskPriority?
  let site: CallSite

  init(
    _ name: String?, _ fileID: StaticString, _ line: UInt, background isBackground: Bool = false,
    priority: TaskPriority? = nil
  ) {
    self.name = name
    self.isBackground = isBackground
    self.priority = priority
    site = CallSite(fileID: fileID, line: line)
  }
}

// MARK: - Placing what is connected to a slice

extension Store {
  /// A new entry for a connection through this store. Callable from anywhere.
  ///
  /// - Parameter kind: its name, if none is given and its type says too little.
  func newEntry(_ type: Any.Type, _ placement: Placement, kind: String? = nil) -> Connected.Entry {
    let id = engine.mail.withLock { mail in
      mail.connections += 1
      return mail.connections
    }
    let label = (placement.name ?? kind).map(Label.given) ?? .type(type)
    return Connected.Entry(
      id: id, label: label, site: placement.site, account: account, isBackground: placement.isBackground)
  }

  /// Connects `connected`. In the turn of the connection `find` returns its node, given the node of this store's state.
  func place(
    _ connected: Connected, at find: @escaping (WatchedNode<State>) -> Node
  ) -> Connection {
    engine.connect(connected) { [backend, engine] in find(backend.node(engine)) }
    return Connection(connected, in: engine)
  }

  /// Connects an effect to the backend of this store or of a scope of it.
  func place<Effect: EffectComponent>(
    _ effect: Effect, at slice: Backend<Effect.State, Effect.Action>, _ placement: Placement,
    as type: Any.Type = Effect.self
  ) -> Connection {
    let connected = ConnectedEffect(
      effect, newEntry(type, placement), at: slice, in: engine, priority: placement.priority)
    if let wiring = engine.wiringRecorder { return wire(effect, connected, slice, wiring) }
    engine.connect(connected) { [engine] in slice.node(engine).node }
    return Connection(connected, in: engine)
  }

  func place<Requests: RequestsAsked & Sendable, EffectAction: Sendable, Failure: Error>(
    when requests: @escaping @Sendable (State) -> Requests,
    _ action: @escaping @Sendable (EffectAction) -> Action,
    failure: (@Sendable (Failure, Requests.Request) -> EffectAction)?, _ placement: Placement,
    _ run: @escaping @Sendable (Requests.Request, Send<EffectAction>) async throws(Failure) -> Void
  ) -> Connection where Requests.Request: Sendable {
    var placement = placement
    placement.name = placement.name ?? "effect"
    let noFailure = { @Sendable (_: Failure, _: Requests.Request) -> EffectAction in
      preconditionFailure("an effect whose failure is Never has failed")
    }
    return place(Effect(failure: failure ?? noFailure, run: run), when: requests, action, placement)
  }

  func place<Base: EffectComponent, Requests: RequestsAsked & Sendable>(
    _ effect: Base, when requests: @escaping @Sendable (State) -> Requests,
    _ action: @escaping @Sendable (Base.Action) -> Action, _ placement: Placement
  ) -> Connection where Base.State == Set<Requests.Request> {
    place(
      AskedEffect(effect, asking: Requests.self),
      at: .scope(of: backend, Projection(computed: requests), action),
      placement, as: Base.self)
  }

  func place<Receiver: PropsReceiver>(
    _ receiver: Receiver, at projection: Projection<State, Receiver.Props>, _ placement: Placement
  ) -> Connection {
    let display = receiver._target.display(newEntry(Receiver.self, placement))
    engine.wiringRecorder?.record(display) { $0.components.append(display.identity) }
    return place(display) { $0.child(projection) }
  }
}

// MARK: - Placing lifetimes

/// Makes the stores of parts. Keeps neither the store nor the engine alive, since a binding holds it.
struct PartStores<State: Sendable, Action: Sendable>: Sendable {
  let backend: Backend<State, Action>
  unowned let engine: Engine  // which owns the binding that holds this, and calls it in its turns alone

  func store<Part: Sendable, PartAction: Sendable>(
    of lifetime: Lifetime<Part>, action: @escaping @Sendable (PartAction) -> Action,
    find: @escaping PartFinding<State, Part>
  ) -> Store<Part, PartAction> {
    let part = Backend<Part, PartAction>.part(
      of: backend, in: lifetime.account, at: lifetime.place, find: find, action)
    return Store<Part, PartAction>(engine: engine, backend: part, account: lifetime.account, keeping: nil)
  }
}

extension Store {
  var parts: PartStores<State, Action> { PartStores(backend: backend, engine: engine) }

  func place<Part: Sendable, PartAction: Sendable>(
    _ look: PartLook<State, Part>, _ action: @escaping @Sendable (PartAction) -> Action, kind: String,
    _ placement: Placement, _ connect: @escaping @Sendable (Store<Part, PartAction>) -> Void
  ) -> Connection {
    let part = ConnectedPart(newEntry(Part.self, placement, kind: kind), in: engine, look) { [parts] in
      connect(parts.store(of: $0, action: action, find: look.find))
    }
    if let wiring = engine.wiringRecorder {
      let ids = { (whole: Lent<State>) -> [AnyHashable] in
        var ids: [AnyHashable] = []
        look.find(whole) {
          ids = [(look.hasID ? AnyHashable.id(of: $0.value) : nil) ?? AnyHashable(NoPartID())]
        }
        return ids
      }
      return wire(part, wiring, ids: ids, finding: { _ in look.find }, begin: { part.begin?($1) })
    }
    return place(part) {
      part.whole = $0
      return $0.node
    }
  }

  func place<Slice: Equatable & Sendable, SliceAction: Sendable>(
    whilePresent slice: Projection<State, Slice?>, _ action: @escaping @Sendable (SliceAction) -> Action,
    _ placement: Placement, _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    let isSame = haveSameID(Slice.self) ?? { _, _ in true }
    return place(.whilePresent(slice, isSame: isSame), action, kind: "ifPresent", placement, connect)
  }
}

/// Whether two values have the same `id`; `nil` where the type is not `Identifiable`.
///
/// Looked up at run time, so that a generic caller that does not know of the conformance gets the same answer.
private func haveSameID<Value>(_ type: Value.Type) -> ((Value, Value) -> Bool)? {
  func compare<Known: Identifiable>(_ known: Known.Type) -> ((Value, Value) -> Bool)? {
    let areSame = { (left: Known, right: Known) in left.id == right.id }
    return areSame as? (Value, Value) -> Bool
  }
  guard let known = type as? any Identifiable.Type else { return nil }
  return compare(known)
}
