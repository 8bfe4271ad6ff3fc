extension Store {
  // MARK: Effects

  /// Connects an effect to a slice, and turns the effect's actions into the store's.
  ///
  /// ```swift
  /// store.connect(SearchEffect(client: client), to: \.search, action: AppAction.search)
  /// ```
  ///
  /// The connection is queued like an action. In its turn, the requests of the slice at that moment are started. The
  /// store keeps the effect until the connection ends. To watch a slice that a closure computes, scope the store first:
  /// ``scope(computed:action:)``.
  ///
  /// Costs one comparison of the slice per action, shared by everything that watches an equal key path, and one call
  /// of `requests(in:)` per change of the slice. The store keeps the slice's last value, so the next change of an
  /// array in the slice copies it. Connect to a narrower slice, or use a `KeyedArray`.
  ///
  /// - Parameters:
  ///   - effect: the effect component.
  ///   - slice: the key path of the effect's state.
  ///   - action: makes the store's action from the effect's. Pure, and called where the action is sent.
  ///   - name: the name of the connection in activity lists and events; by default the name of the effect's type.
  ///   - longRunning: whether `settled()` and the graceful time of a shutdown ignore its runs, as for a ticking clock.
  ///   - priority: the priority of the tasks of its runs.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, to slice: any KeyPath<State, Effect.State> & Sendable,
    action: @escaping @Sendable (Effect.Action) -> Action, named name: String? = nil,
    longRunning: Bool = false, priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection {
    place(
      effect, at: ScopeBackend(of: backend, Projection(slice), action),
      Placement(name, fileID, line, longRunning: longRunning, priority: priority))
  }

  /// Connects an effect that sends the store's own actions to a slice.
  ///
  /// Costs as much as the method with `action:`.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, to slice: any KeyPath<State, Effect.State> & Sendable, named name: String? = nil,
    longRunning: Bool = false, priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection where Effect.Action == Action {
    place(
      effect, at: ScopeBackend(of: backend, Projection(slice), { $0 }),
      Placement(name, fileID, line, longRunning: longRunning, priority: priority))
  }

  /// Connects an effect of the store's own state and actions.
  ///
  /// At a root store, `requests(in:)` is called in every turn, and the state is not copied. At a scope, and at the
  /// store of an optional slice or an element, it is called when the slice has changed. The slice's last value is kept,
  /// so the next change of an array in it copies the array.
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, named name: String? = nil, longRunning: Bool = false, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection where Effect.State == State, Effect.Action == Action {
    // The effect reads the state in place: no copy of the store's state is kept.
    place(
      effect, at: backend, Placement(name, fileID, line, longRunning: longRunning, priority: priority))
  }

  // MARK: One-line effects

  /// Connects an effect without a type of its own: `run` serves each request that `when` returns.
  ///
  /// `when` returns an optional request, or a set of requests:
  ///
  /// ```swift
  /// store.connect(when: { $0.search.pending }) { [client] query, send in
  ///   await send(.search(.arrived(client.results(for: query))))
  /// }
  /// ```
  ///
  /// ```swift
  /// store.connect(when: { Set($0.rows.filter(\.isWaiting).map(\.id)) }) { id, send in
  ///   await send(.loaded(id, text(of: id)))
  /// }
  /// ```
  ///
  /// `when` is pure. It is called on the reducer queue, once per action that changes the store's slice. A request is
  /// its own identity: a different request is a different run. A `run` that can throw needs `failure:`, which turns
  /// an error into an action. For a condition without a request use
  /// ``connectIfPresent(computed:action:named:fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - requests: what the state asks for.
  ///   - name: the name of the connection in activity lists and events; by default "effect".
  ///   - longRunning: whether `settled()` and the graceful time of a shutdown ignore its runs.
  ///   - run: serves one request, in a task of its own.
  @discardableResult
  public func connect<Requests: RequestCollection & Sendable>(
    when requests: @escaping @Sendable (State) -> Requests, named name: String? = nil,
    longRunning: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    run: @escaping @Sendable (Requests.Request, Send<Action>) async -> Void
  ) -> Connection where Requests.Request: Sendable {
    place(
      Effect(run: run), when: requests, { $0 },
      Placement(name ?? "effect", fileID, line, longRunning: longRunning))
  }

  /// Connects an effect without a type of its own, and turns its actions into the store's.
  @discardableResult
  public func connect<Requests: RequestCollection & Sendable, EffectAction: Sendable>(
    when requests: @escaping @Sendable (State) -> Requests,
    action: @escaping @Sendable (EffectAction) -> Action,
    named name: String? = nil, longRunning: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    run: @escaping @Sendable (Requests.Request, Send<EffectAction>) async -> Void
  ) -> Connection where Requests.Request: Sendable {
    place(
      Effect(run: run), when: requests, action,
      Placement(name ?? "effect", fileID, line, longRunning: longRunning))
  }

  /// Connects an effect without a type of its own whose `run` can throw.
  ///
  /// ```swift
  /// store.connect(
  ///   when: \.search.pending, failure: { _, query in .search(.arrived(["\(query) was not found"])) }
  /// ) { query, send in
  ///   await send(.search(.arrived(try await lookUp(query))))
  /// }
  /// ```
  ///
  /// - Parameter failure: makes the action for an error of a run; pure, called on the reducer queue.
  @discardableResult
  public func connect<Requests: RequestCollection & Sendable, Failure: Error>(
    when requests: @escaping @Sendable (State) -> Requests,
    failure: @escaping @Sendable (Failure, Requests.Request) -> Action,
    named name: String? = nil, longRunning: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    run: @escaping @Sendable (Requests.Request, Send<Action>) async throws(Failure) -> Void
  ) -> Connection where Requests.Request: Sendable {
    place(
      Effect(failure: failure, run: run), when: requests, { $0 },
      Placement(name ?? "effect", fileID, line, longRunning: longRunning))
  }

  /// Connects an effect without a type of its own whose `run` can throw, and turns its actions into the store's.
  @discardableResult
  public func connect<Requests: RequestCollection & Sendable, EffectAction: Sendable, Failure: Error>(
    when requests: @escaping @Sendable (State) -> Requests,
    action: @escaping @Sendable (EffectAction) -> Action,
    failure: @escaping @Sendable (Failure, Requests.Request) -> EffectAction,
    named name: String? = nil, longRunning: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    run: @escaping @Sendable (Requests.Request, Send<EffectAction>) async throws(Failure) -> Void
  ) -> Connection where Requests.Request: Sendable {
    place(
      Effect(failure: failure, run: run), when: requests, action,
      Placement(name ?? "effect", fileID, line, longRunning: longRunning))
  }

  // MARK: Components and views

  /// Connects a component or a view to a slice.
  ///
  /// The receiver gets the current props once, as of the moment of connection, and then only props that differ from
  /// the last ones that it received. The store keeps a ``Component`` until the connection ends. A ``ViewComponent``
  /// is held weakly and is disconnected when it is released; its `props` are set on the main actor, for all waiting
  /// views in one job.
  ///
  /// Costs one comparison of the slice per drained batch. The store keeps the slice's last value, so the next change
  /// of an array in it copies the array, at most once per drained batch.
  ///
  /// - Parameters:
  ///   - receiver: the component or view.
  ///   - slice: the key path of its props.
  ///   - name: the name of the connection in activity lists and events; by default the name of the receiver's type.
  ///   - longRunning: whether `settled()` ignores its updates.
  @discardableResult
  public func connect<Receiver: PropsReceiver>(
    _ receiver: Receiver, to slice: any KeyPath<State, Receiver.Props> & Sendable, named name: String? = nil,
    longRunning: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    place(receiver, at: Projection(slice), Placement(name, fileID, line, longRunning: longRunning))
  }

  /// Connects a component or a view to props that `props` computes.
  ///
  /// `props` is pure. It is evaluated on the reducer queue, once per drained batch.
  @discardableResult
  public func connect<Receiver: PropsReceiver>(
    _ receiver: Receiver, props: @escaping @Sendable (State) -> Receiver.Props, named name: String? = nil,
    longRunning: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Connection {
    place(receiver, at: Projection(computed: props), Placement(name, fileID, line, longRunning: longRunning))
  }

  /// Connects a component or a view whose props are the store's state.
  @discardableResult
  public func connect<Receiver: PropsReceiver>(
    _ receiver: Receiver, named name: String? = nil, longRunning: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection where Receiver.Props == State {
    place(receiver, at: Projection(\.self), Placement(name, fileID, line, longRunning: longRunning))
  }
}
