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

/// Leads from the state of a store to the slice that a connection watches.
struct Route<Whole, Part> {
  /// Finds the node of the slice, in the turn in which the connection is made.
  let node: (WatchedNode<Whole>) -> WatchedNode<Part>
  /// Calls the closure with the slice of a state.
  let read: (Lent<Whole>, (Lent<Part>) -> Void) -> Void
}

extension Projection where Part: Equatable {
  var route: Route<Whole, Part> {
    Route(
      node: { whole in
        let node = whole.child(self)
        return WatchedNode(node: node, value: node)
      }, read: withPart)
  }
}

extension Route where Whole == Part {
  /// The store's own state, or the slice of a scope.
  static var whole: Route { Route(node: { $0 }, read: { $1($0) }) }
}

// MARK: - Placing one binding

extension Store {
  /// A new entry for a connection through this store. Callable from anywhere.
  func newEntry(_ type: Any.Type, _ placement: Placement) -> Attachment.Entry {
    engine.newEntry(
      Label(given: placement.name, type: type), account, placement.site, isBackground: placement.isBackground)
  }

  /// Connects where `route` leads.
  ///
  /// - Parameters:
  ///   - binding: what is connected, if it is there already.
  ///   - make: returns what is connected, in the turn in which it is.
  func place<Part>(
    _ attachment: Attachment, _ binding: (any Binding)? = nil, at route: Route<State, Part>,
    _ make: @escaping (WatchedNode<Part>, Engine) -> any Binding
  ) -> Connection {
    engine.connect(attachment, binding) { [backend] engine in
      let place = route.node(backend.node(engine))
      return TreeChanges.Place(node: place.node, binding: make(place, engine))
    }
    return Connection(attachment, in: engine)
  }

  /// Connects a display where `route` leads.
  func place<Part>(_ display: Attachment, at route: Route<State, Part>) -> Connection {
    engine.connect(display, engine.displays) { [backend] engine in
      let node = route.node(backend.node(engine)).node
      return TreeChanges.Place(node: node, binding: engine.displays)
    }
    return Connection(display, in: engine)
  }

  func place<Effect: EffectComponent>(
    _ effect: Effect, at route: Route<State, Effect.State>,
    _ action: @escaping @Sendable (Effect.Action) -> Action, _ placement: Placement,
    as type: Any.Type = Effect.self
  ) -> Connection {
    let attachment = Attachment(newEntry(type, placement), .effect)
    if let wiring = engine.recorder { return wire(effect, at: attachment, route, action, wiring) }
    return place(attachment, at: route) { [backend, account] place, engine in
      EffectBinding(effect, at: attachment, watching: place.value, in: engine, priority: placement.priority) {
        backend.send(action($0), through: account, $1, $2)
      }
    }
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
      AskedEffect(effect, asking: Requests.self), at: Projection(computed: requests).route, action, placement,
      as: Base.self)
  }

  func place<Receiver: PropsReceiver>(
    _ receiver: Receiver, at projection: Projection<State, Receiver.Props>, _ placement: Placement
  ) -> Connection {
    let display = receiver._target.attachment(newEntry(Receiver.self, placement))
    engine.recorder?.record(display) { $0.components.append(display.identity) }
    return place(display, at: projection.route)
  }
}

// MARK: - Placing lifetimes

/// Calls the closure with the present part of a state, if the state has it.
typealias PartFinding<Whole, Part> = @Sendable (Lent<Whole>, (Lent<Part>) -> Void) -> Void

/// Makes the stores of parts. Keeps neither the store nor the engine alive, since a binding holds it.
struct PartStores<State: Sendable, Action: Sendable>: Sendable {
  let backend: Backend<State, Action>
  unowned let engine: Engine  // which owns the binding that holds this, and calls it in its turns alone

  func store<Part: Sendable, PartAction: Sendable>(
    of lifetime: Lifetime<Part>, action: @escaping @Sendable (PartAction) -> Action,
    find: @escaping PartFinding<State, Part>
  ) -> Store<Part, PartAction> {
    let part = Backend<Part, PartAction>.part(
      of: backend, in: lifetime.scope, at: lifetime.place, find: find, action)
    return Store<Part, PartAction>(engine: engine, backend: part, account: lifetime.scope, keeping: nil)
  }
}

extension Store {
  var parts: PartStores<State, Action> { PartStores(backend: backend, engine: engine) }

  func newKeeper(_ type: Any.Type, _ kind: String, _ placement: Placement) -> Attachment {
    let inner = Scope(parent: account)
    var placement = placement
    placement.name = placement.name ?? kind
    let attachment = Attachment(newEntry(type, placement), .parts, inner: inner)
    inner.keeper = attachment
    return attachment
  }

  func place<Slice: Equatable & Sendable, SliceAction: Sendable>(
    whilePresent slice: Projection<State, Slice?>, _ action: @escaping @Sendable (SliceAction) -> Action,
    _ placement: Placement, _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    let attachment = newKeeper(Slice.self, "ifPresent", placement)
    let find: PartFinding<State, Slice> = { whole, body in
      slice.withPart(of: whole) { optional in
        if let part = optional.lend({ copy $0 }) { Box(part).lend(body) }
      }
    }
    let begin: @Sendable (PartStores<State, Action>, Lifetime<Slice>) -> Void = { parts, lifetime in
      connect(parts.store(of: lifetime, action: action, find: find))
    }
    if let wiring = engine.recorder {
      let ids = { (whole: Lent<State>) -> [AnyHashable] in
        var ids: [AnyHashable] = []
        find(whole) { ids = [AnyHashable.id(of: $0.value) ?? AnyHashable(NoPartID())] }
        return ids
      }
      return wire(
        attachment, wiring, ids: ids, finding: { _ in find }, begin: { [parts] in begin(parts, $1) })
    }
    return place(attachment, at: .whole) { [parts] whole, engine in
      let part = PresentPart(slice, isSame: haveSameID(Slice.self) ?? { _, _ in true })
      return LifetimeBinding(part, at: attachment, of: whole, in: engine) { begin(parts, $0) }
    }
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
