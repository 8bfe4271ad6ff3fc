extension Store {
  // MARK: Effects

  /// Connects an effect to a slice.
  ///
  /// ```swift
  /// store.connect(SearchEffect(client: client), to: \.search, action: AppAction.search)
  /// ```
  ///
  /// Takes its place in the mailbox like an action; the requests of the slice of that moment are started then. The
  /// store keeps the effect until the connection ends. Costs one comparison of the slice per action, shared by all
  /// who watch an equal key path, and one call of `requests(in:)` per change of it.
  ///
  /// - Parameters:
  ///   - effect: the effect component.
  ///   - slice: the way to its state.
  ///   - action: makes the store's action of the effect's; pure.
  ///   - name: what it is called in activity lists and events; by default its type.
  ///   - background: whether `settled()` does not wait for its runs, as for a ticking clock.
  ///   - priority: the priority of its runs' tasks.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, to slice: any KeyPath<State, Effect.State> & Sendable,
    action: @escaping @Sendable (Effect.Action) -> Action, named name: String? = nil,
    background: Bool = false,
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    connect(
      effect, at: Projection(slice), action, name, background, priority, CallSite(fileID: fileID, line: line))
  }

  /// Connects an effect that sends the store's own actions to a slice.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, to slice: any KeyPath<State, Effect.State> & Sendable, named name: String? = nil,
    background: Bool = false, priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection where Effect.Action == Action {
    connect(
      effect, at: Projection(slice), { $0 }, name, background, priority, CallSite(fileID: fileID, line: line))
  }

  /// Connects an effect of the store's own state and actions.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, named name: String? = nil, background: Bool = false, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection where Effect.State == State, Effect.Action == Action {
    connect(
      effect, at: Projection(\State.self), { $0 }, name, background, priority,
      CallSite(fileID: fileID, line: line))
  }

  /// Connects an effect to a slice that is computed by a closure, evaluated once per action.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, computed slice: @escaping @Sendable (State) -> Effect.State,
    action: @escaping @Sendable (Effect.Action) -> Action, named name: String? = nil,
    background: Bool = false,
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    connect(
      effect, at: Projection("computed", slice), action, name, background,
      priority,
      CallSite(fileID: fileID, line: line))
  }

  /// Connects a one-line effect: while `when` gives a request, it is served.
  ///
  /// ```swift
  /// store.connect(when: { $0.search.pending }) { [client] query, send in
  ///   await send(.search(.arrived(client.results(for: query))))
  /// }
  /// ```
  ///
  /// `when` is pure and called on the reducer queue, once per action; a changed request restarts the run. A body
  /// that can throw must say what its failure becomes: `connect(when:action:failure:run:)`.
  @discardableResult
  public func connect<Request: Hashable & Sendable>(
    when request: @escaping @Sendable (State) -> Request?, named name: String? = nil,
    background: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    run: @escaping @Sendable (Request, Send<Action>) async -> Void
  ) -> Connection {
    connect(
      when: request, action: { $0 }, named: name, background: background, fileID: fileID, line: line, run: run
    )
  }

  /// Connects a one-line effect that sends actions of its own kind.
  @discardableResult
  public func connect<Request: Hashable & Sendable, EffectAction: Sendable>(
    when request: @escaping @Sendable (State) -> Request?,
    action: @escaping @Sendable (EffectAction) -> Action,
    named name: String? = nil, background: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    run: @escaping @Sendable (Request, Send<EffectAction>) async -> Void
  ) -> Connection {
    connect(
      ClosureEffect(body: run, failure: nil), at: Projection("when", request), action,
      name ?? "effect", background, nil, CallSite(fileID: fileID, line: line))
  }

  /// Connects a one-line effect whose body can throw.
  ///
  /// - Parameter failure: the action that an error becomes; pure.
  @discardableResult
  public func connect<Request: Hashable & Sendable, EffectAction: Sendable, Failure: Error>(
    when request: @escaping @Sendable (State) -> Request?,
    action: @escaping @Sendable (EffectAction) -> Action,
    failure: @escaping @Sendable (Failure, Request) -> EffectAction,
    named name: String? = nil, background: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    run: @escaping @Sendable (Request, Send<EffectAction>) async throws(Failure) -> Void
  ) -> Connection {
    connect(
      ClosureEffect(body: run, failure: failure), at: Projection("when", request),
      action,
      name ?? "effect", background, nil, CallSite(fileID: fileID, line: line))
  }

  private func connect<Effect: EffectComponent>(
    _ effect: Effect, at projection: Projection<State, Effect.State>,
    _ action: @escaping @Sendable (Effect.Action) -> Action, _ name: String?, _ background: Bool,
    _ priority: TaskPriority?, _ site: CallSite
  ) -> Connection {
    let place = engine.newPlace(
      Label(given: name, type: Effect.self), scopeAccount, site, isDisplay: false, isBackground: background)
    let attachment = EffectAttachment(effect, at: place, priority: priority) { [backend] in
      backend.send(action($0), $1)
    }
    return connect(attachment, at: projection)
  }

  // MARK: Components and views

  /// Connects a component to a slice. The store keeps it until the connection ends.
  ///
  /// It gets the current props once, as of the moment of connection, then only props that differ from the last that
  /// it got. Costs one comparison of the slice per drained batch.
  @discardableResult
  public func connect<C: Component>(
    _ component: C, to slice: any KeyPath<State, C.Props> & Sendable, named name: String? = nil,
    background: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    connect(
      component, at: Projection(slice), name, background, CallSite(fileID: fileID, line: line))
  }

  /// Connects a component to props that `props` computes, evaluated once per drained batch on the reducer queue.
  @discardableResult
  public func connect<C: Component>(
    _ component: C, props: @escaping @Sendable (State) -> C.Props, named name: String? = nil,
    background: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    connect(
      component, at: Projection("computed", props), name, background,
      CallSite(fileID: fileID, line: line))
  }

  private func connect<C: Component>(
    _ component: C, at projection: Projection<State, C.Props>, _ name: String?, _ background: Bool,
    _ site: CallSite
  ) -> Connection {
    let place = engine.newPlace(
      Label(given: name, type: C.self), scopeAccount, site, isDisplay: true, isBackground: background)
    return connect(
      ComponentAttachment.make(component, at: place), at: projection)
  }

  /// Connects a view to a slice. The view is held weakly and disconnects when it dies.
  ///
  /// Its `props` are set on the main actor: once with the current value, then whenever the slice differs from what
  /// it last got. All views that have new props are served in one job of the main actor.
  @discardableResult
  public func connect<V: ViewComponent>(
    _ view: V, to slice: any KeyPath<State, V.Props> & Sendable, named name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    connect(view, at: Projection(slice), name, CallSite(fileID: fileID, line: line))
  }

  /// Connects a view to props that `props` computes, evaluated once per drained batch on the reducer queue.
  @discardableResult
  public func connect<V: ViewComponent>(
    _ view: V, props: @escaping @Sendable (State) -> V.Props, named name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    connect(
      view, at: Projection("computed", props), name,
      CallSite(fileID: fileID, line: line))
  }

  private func connect<V: ViewComponent>(
    _ view: V, at projection: Projection<State, V.Props>, _ name: String?, _ site: CallSite
  ) -> Connection {
    let place = engine.newPlace(Label(given: name, type: V.self), scopeAccount, site, isDisplay: true)
    return connect(ViewAttachment(view, at: place), at: projection)
  }

  // MARK: Sequences and observers

  /// The values of a slice as an asynchronous sequence: the present one, then each that differs, conflated.
  public func values<Slice: Equatable & Sendable>(
    of slice: any KeyPath<State, Slice> & Sendable, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreValues<Slice> {
    let place = engine.newPlace(
      Label(given: "values", type: Slice.self), scopeAccount, CallSite(fileID: fileID, line: line),
      isDisplay: true)
    let attachment = ValuesAttachment<Slice>(at: place)
    connect(attachment, at: Projection(slice))
    return StoreValues(attachment, in: engine)
  }

  /// Every action that is reduced from now on, with the state after it. Of a scope: what was sent through it.
  public func actions(
    buffering: ActionBuffering = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreActions<State, Action> {
    let place = engine.newPlace(
      Label(given: "actions", type: Action.self), scopeAccount, CallSite(fileID: fileID, line: line),
      isDisplay: false)
    let attachment = ActionsAttachment(at: place, backend: backend, buffering: buffering)
    backend.announce(attachment)
    engine.connect(attachment) { $0.tables.tree }
    return StoreActions(attachment, in: engine)
  }

  /// Calls `observe` with every action that is reduced from now on and the state after it: for logs and analytics.
  /// Of a scope: what was sent through it.
  ///
  /// `observe` is called with one action after the other, in order, away from the reducer queue; a slow one delays
  /// nobody. `settled()` waits for it.
  @discardableResult
  public func onAction(
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ observe: @escaping @Sendable (Action, State) -> Void
  ) -> Connection {
    let place = engine.newPlace(
      Label(given: name ?? "onAction", type: Action.self), scopeAccount, CallSite(fileID: fileID, line: line),
      isDisplay: false)
    let attachment = ActionObserverAttachment(at: place, backend: backend, engine: engine, observe)
    backend.announce(attachment)
    engine.connect(attachment) { $0.tables.tree }
    return Connection(attachment, in: engine)
  }

  /// Connects an observer that is told every fate of every action and run of the whole store, whichever scope it
  /// is connected through.
  @discardableResult
  public func observe(
    _ observer: some StoreObserver, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection {
    let place = engine.newPlace(
      Label(given: name, type: type(of: observer)), scopeAccount, CallSite(fileID: fileID, line: line),
      isDisplay: false)
    let attachment = ObserverAttachment(observer, at: place)
    engine.connect(attachment) { $0.tables.tree }
    return Connection(attachment, in: engine)
  }

  @discardableResult
  private func connect<Slice: Equatable & Sendable>(
    _ attachment: any Attachment, at projection: Projection<State, Slice>
  ) -> Connection {
    engine.connect(attachment) { [backend] engine in
      let parent = backend.node(in: engine)
      return parent.child(projection.key) { projection.makeNode(of: parent.value, under: parent) }
    }
    return Connection(attachment, in: engine)
  }
}
