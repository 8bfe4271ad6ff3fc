extension Store {
  // MARK: Sequences and observers

  /// Returns the values of a slice as an asynchronous sequence: the current one, then each one that differs. A
  /// consumer that is slower than the changes gets the newest value.
  ///
  /// The next change of an array in the slice copies that array, at most once per drained batch.
  public func values<Slice: Equatable & Sendable>(
    of slice: any KeyPath<State, Slice> & Sendable, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreValues<Slice> {
    let display = SequenceDisplay<Slice>(
      newEntry(Slice.self, Placement("values", fileID, line, longRunning: true)))
    _ = place(display) { [backend, engine] in backend.node(engine).child(Projection(slice)) }
    return StoreValues(SequenceHandle(display.source, at: display, in: engine))
  }

  /// Waits for the first state that satisfies `predicate`, beginning with the current one. For tests, and for a
  /// program's `main`.
  ///
  /// ```swift
  /// let done = await store.first { $0.search.results.count > 0 }
  /// ```
  ///
  /// `predicate` is pure. It is evaluated on the reducer queue, in every turn that changes the store's slice, so that
  /// it sees each state, however short it lasts. `settled()` does not wait for this call.
  ///
  /// - Returns: the state; `nil` if the calling task is cancelled, or the store or scope ends, before one satisfies it.
  public func first(
    where predicate: @escaping @Sendable (State) -> Bool, fileID: StaticString = #fileID, line: UInt = #line
  ) async -> State? {
    let placement = Placement("first(where:)", fileID, line, longRunning: true)
    let first = FirstWatcher(newEntry(State.self, placement), in: engine, where: { predicate($0) })
    let connection = place(first) { [backend, engine] in backend.node(engine) }
    defer { connection.disconnect() }
    return await first.source.next()?.value
  }

  /// Returns every action that is sent from now on, when it is reduced, with the state after it, as an asynchronous
  /// sequence. On a scope, only actions that are sent through it.
  public func actions(
    buffering: ActionBuffering = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreActions<State, Action> {
    let entry = newEntry(Action.self, Placement("actions", fileID, line))
    let tap = SequenceTap(entry, at: backend, in: engine, buffering)
    _ = place(tap)
    return StoreActions(SequenceHandle(tap.source, at: tap, in: engine))
  }

  /// Calls `observe` with every action that is sent from now on, when it is reduced, and the state after it, for logs
  /// and analytics. On a scope, only with actions that are sent through it.
  ///
  /// The calls are made one after another, in the order of the actions, away from the reducer queue. So a slow closure
  /// delays nothing else. `settled()` waits for them.
  @discardableResult
  public func onAction(
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ observe: @escaping @Sendable (Action, State) -> Void
  ) -> Connection {
    let entry = newEntry(Action.self, Placement(name ?? "onAction", fileID, line))
    return place(ActionTap(entry, at: backend, in: engine, observe: observe))
  }

  /// Connects an observer that receives every event of the whole store, even if it is connected through a scope: each
  /// action that is reduced, fenced or refused, and each run that starts, ends or is stopped.
  @discardableResult
  public func observe(
    _ observer: some StoreObserver, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection {
    place(EventTap(observer, newEntry(type(of: observer), Placement(name, fileID, line)), in: engine))
  }
}
