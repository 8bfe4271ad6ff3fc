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
  /// who watch an equal key path, and one call of `requests(in:)` per change of it. The store keeps the
  /// slice's last value, so an array in the slice is copied by its next change in place, in every turn that
  /// changes it: connect to a narrower slice, or use a `KeyedArray`.
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
  ///
  /// At the store that the program made, `requests(in:)` is called in every turn, and no copy of the state is
  /// kept. At a scope, and at the store of an optional slice or an element, it is called when the slice has
  /// changed, and the slice's last value is kept: an array in it is copied by its next change.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, named name: String? = nil, background: Bool = false, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection where Effect.State == State, Effect.Action == Action {
    // Asked in place: of the store's own state no copy is kept.
    connect(
      effect, at: { whole, _ in whole }, { $0 }, name, background, priority,
      CallSite(fileID: fileID, line: line))
  }

  /// Connects an effect to a slice that is computed by a closure, evaluated once per action where the state
  /// is stored. Its last value is kept, as that of a key path is.
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
    _ effect: Effect,
    at place: @escaping (WatchedNode<State>, ReplacedValues) -> WatchedNode<Effect.State>,
    _ action: @escaping @Sendable (Effect.Action) -> Action, _ name: String?, _ background: Bool,
    _ priority: TaskPriority?, _ site: CallSite
  ) -> Connection {
    let attachment = engine.newAttachment(
      Label(given: name, type: Effect.self), account, site, .effect, isBackground: background)
    let binding = EffectBinding(effect, at: attachment, in: engine, priority: priority) { [backend] in
      backend.send(action($0), $1)
    }
    engine.connect(attachment, binding) { [backend, unowned engine] in
      let watched = place(backend.node(engine), engine.replaced)
      binding.watch(watched.value)
      return watched.node
    }
    return Connection(attachment, in: engine)
  }

  private func connect<Effect: EffectComponent>(
    _ effect: Effect, at projection: Projection<State, Effect.State>,
    _ action: @escaping @Sendable (Effect.Action) -> Action, _ name: String?, _ background: Bool,
    _ priority: TaskPriority?, _ site: CallSite
  ) -> Connection {
    connect(
      effect,
      at: { whole, replaced in
        let node = whole.child(projection, replaced)
        return WatchedNode(node: node, value: node)
      }, action, name, background, priority, site)
  }

  // MARK: Components and views

  /// Connects a component to a slice. The store keeps it until the connection ends.
  ///
  /// It gets the current props once, as of the moment of connection, then only props that differ from the last that
  /// it got. Costs one comparison of the slice per drained batch. The store and the component's last props
  /// keep the slice's value, so an array in it is copied by its next change, at most once per drained batch.
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
    connect(
      .component(component, isBackground: background), at: projection, Label(given: name, type: C.self),
      background,
      site)
  }

  /// Connects a view to a slice. The view is held weakly and disconnects when it dies.
  ///
  /// Its `props` are set on the main actor: once with the current value, then whenever the slice differs from what
  /// it last got. All views that have new props are served in one job of the main actor. An array in the
  /// slice is copied by its next change, as with a component.
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
    connect(.view(view), at: projection, Label(given: name, type: V.self), false, site)
  }

  private func connect<Slice: Equatable & Sendable>(
    _ display: Display, at projection: Projection<State, Slice>, _ label: Label, _ background: Bool,
    _ site: CallSite
  ) -> Connection {
    let attachment = engine.newAttachment(label, account, site, .display(display), isBackground: background)
    engine.connect(attachment, engine.displays) { [backend, unowned engine] in
      backend.node(engine).child(projection, engine.replaced)
    }
    return Connection(attachment, in: engine)
  }

  // MARK: Sequences and observers

  /// The values of a slice as an asynchronous sequence: the present one, then each that differs, conflated.
  /// An array in the slice is copied by its next change, at most once per drained batch.
  public func values<Slice: Equatable & Sendable>(
    of slice: any KeyPath<State, Slice> & Sendable, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreValues<Slice> {
    let sink = ValuesSink<Slice>()
    let attachment = engine.newAttachment(
      Label(given: "values", type: Slice.self), account, CallSite(fileID: fileID, line: line),
      .display(Display(.sequence(sink), isBackground: true, areEqual: { $0 === $1 })), isBackground: true)
    let projection = Projection(slice)
    engine.connect(attachment, engine.displays) { [backend, unowned engine] in
      backend.node(engine).child(projection, engine.replaced)
    }
    return StoreValues(SequenceHandle(sink.source, at: attachment, in: engine))
  }

  /// Every action that is reduced from now on, with the state after it. Of a scope: what was sent through it.
  public func actions(
    buffering: ActionBuffering = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreActions<State, Action> {
    let attachment = newWitness(Label(given: "actions", type: Action.self), fileID, line)
    let source = SequenceSource(RecordedActions<State, Action>(buffering))
    let tap = tap { [unowned engine] action, state in
      guard attachment.phase == .connected else { return }
      let (dropped, wake) = source.change { $0.append((action, state.lend { copy $0 })) }
      if let dropped { engine.decided.keep(dropped) }
      if let wake { engine.decided.deliver(wake) }
    }
    engine.connect(attachment, ActionsBinding(source, tap, in: engine), at: nil)
    return StoreActions(SequenceHandle(source, at: attachment, in: engine))
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
    let attachment = newWitness(Label(given: name ?? "onAction", type: Action.self), fileID, line)
    let feed = ObserverFeed<(Action, State)>(of: attachment) { observe($0.0, $0.1) }
    let tap = tap { [unowned engine] action, state in
      if attachment.phase == .connected { feed.append((action, state.lend { copy $0 }), engine) }
    }
    engine.connect(attachment, ActionObserverBinding(feed, tap, in: engine), at: nil)
    return Connection(attachment, in: engine)
  }

  /// Connects an observer that is told every fate of every action and run of the whole store, whichever scope it
  /// is connected through.
  @discardableResult
  public func observe(
    _ observer: some StoreObserver, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection {
    let attachment = newWitness(Label(given: name, type: type(of: observer)), fileID, line)
    engine.connect(attachment, ObserverBinding(observer, at: attachment, in: engine), at: nil)
    return Connection(attachment, in: engine)
  }

  private func tap(_ record: @escaping ActionTap<State, Action>.Record) -> ActionTap<State, Action> {
    ActionTap(at: host, backend, through: account, engine, record)
  }

  private func newWitness(_ label: Label, _ fileID: StaticString, _ line: UInt) -> Attachment {
    engine.newAttachment(label, account, CallSite(fileID: fileID, line: line), .witness)
  }
}
