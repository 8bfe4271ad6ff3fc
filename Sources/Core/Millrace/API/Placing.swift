/// The arguments that all `connect…` functions share.
struct Placement {
  let name: String?
  let isLongRunning: Bool
  let priority: TaskPriority?
  let site: CallSite

  init(
    _ name: String?, _ fileID: StaticString, _ line: UInt, longRunning isLongRunning: Bool = false,
    priority: TaskPriority? = nil
  ) {
    self.name = name
    self.isLongRunning = isLongRunning
    self.priority = priority
    site = CallSite(fileID: fileID, line: line)
  }
}

// MARK: - Connecting to a slice

extension Store {
  /// Makes an entry for a connection through this store. Callable from anywhere.
  ///
  /// - Parameter kind: the name if `placement` has none; `nil` for the name of `type`.
  func newEntry(_ type: Any.Type, _ placement: Placement, kind: String? = nil) -> Connected.Entry {
    let id = engine.mail.withLock { mail in
      mail.connections += 1
      return mail.connections
    }
    let label = (placement.name ?? kind).map(Label.given) ?? .type(type)
    return Connected.Entry(
      id: id, label: label, site: placement.site, account: account, isLongRunning: placement.isLongRunning)
  }

  /// Connects `connected`. In the turn of the connection, `find` returns the node to which it belongs, if it does not
  /// find that itself.
  func place(_ connected: Connected, at find: (() -> Node)? = nil) -> Connection {
    engine.connect(connected, at: find)
    return Connection(connected, in: engine)
  }

  /// Connects an effect to the backend of this store or of one of its scopes.
  func place<Effect: EffectComponent>(
    _ effect: Effect, at slice: Backend<Effect.State, Effect.Action>, _ placement: Placement,
    as type: Any.Type = Effect.self
  ) -> Connection {
    place(
      ConnectedEffect(
        effect, newEntry(type, placement), at: slice, in: engine, priority: placement.priority))
  }

  func place<Base: EffectComponent, Requests: RequestCollection & Sendable>(
    _ effect: Base, when requests: @escaping @Sendable (State) -> Requests,
    _ action: @escaping @Sendable (Base.Action) -> Action, _ placement: Placement
  ) -> Connection where Base.State == Set<Requests.Request> {
    place(
      AskedEffect(effect, asking: Requests.self),
      at: ScopeBackend(of: backend, Projection(computed: requests), action),
      placement, as: Base.self)
  }

  func place<Receiver: PropsReceiver>(
    _ receiver: Receiver, at projection: Projection<State, Receiver.Props>, _ placement: Placement
  ) -> Connection {
    let display = receiver._target.display(newEntry(Receiver.self, placement))
    return place(display) { [backend, engine] in backend.node(engine).child(projection) }
  }
}
