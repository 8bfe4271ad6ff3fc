extension Store {
  /// Connects an effect to the requests that `when` returns, and turns the effect's actions into the store's.
  ///
  /// Use it for an effect whose slice is a set of requests, such as an ``Effect`` with policies around it, if the state
  /// contains no such set:
  ///
  /// ```swift
  /// let search = Effect { [client] (query: String, send: Send<Search.Action>) in
  ///   await send(.arrived(client.results(for: query)))
  /// }
  /// store.connect(
  ///   search.debounced(for: .milliseconds(300)), when: \.search.pending, action: AppAction.search)
  /// ```
  ///
  /// `when` returns an optional request, or a set of requests. It is pure, and called on the reducer queue, once per
  /// action that changes the store's slice.
  ///
  /// - Parameters:
  ///   - effect: the effect component.
  ///   - requests: what the state asks for.
  ///   - action: makes the store's action from the effect's; pure, called where the action is sent.
  ///   - name: the name of the connection in activity lists and events; by default the name of the effect's type.
  ///   - longRunning: whether `settled()` and the graceful time of a shutdown ignore its runs.
  ///   - priority: the priority of the tasks of its runs.
  @discardableResult
  public func connect<Effect: EffectComponent, Requests: RequestCollection & Sendable>(
    _ effect: Effect, when requests: @escaping @Sendable (State) -> Requests,
    action: @escaping @Sendable (Effect.Action) -> Action, named name: String? = nil,
    longRunning: Bool = false, priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection where Effect.State == Set<Requests.Request> {
    place(
      effect, when: requests, action,
      Placement(name, fileID, line, longRunning: longRunning, priority: priority))
  }

  /// Connects an effect that sends the store's own actions to the requests that `when` returns.
  @discardableResult
  public func connect<Effect: EffectComponent, Requests: RequestCollection & Sendable>(
    _ effect: Effect, when requests: @escaping @Sendable (State) -> Requests, named name: String? = nil,
    longRunning: Bool = false, priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection where Effect.State == Set<Requests.Request>, Effect.Action == Action {
    place(
      effect, when: requests, { $0 },
      Placement(name, fileID, line, longRunning: longRunning, priority: priority))
  }
}
