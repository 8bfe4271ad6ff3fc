// The closures below are called by the engine alone, which keeps what holds them: so they name it `unowned`.
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
      newEntry(Slice.self, Placement("values", fileID, line, background: true)))
    _ = place(display, at: Projection(slice).route)
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
  /// it sees each state, however short it lasts. `settled()` does not wait for it.
  ///
  /// - Returns: the state; `nil` if the calling task is cancelled, or the store or scope ends, before there is one.
  public func first(
    where predicate: @escaping @Sendable (State) -> Bool, fileID: StaticString = #fileID, line: UInt = #line
  ) async -> State? {
    let source = SequenceSource(FirstState<State>())
    let placement = Placement("first(where:)", fileID, line, background: true)
    let attachment = Attachment(newEntry(State.self, placement), .effect)
    let binding = FirstBinding(source, at: attachment, in: engine) { predicate($0) }
    let connection = place(attachment, binding, at: .whole) { whole, _ in
      binding.watch(whole.value)
      return binding
    }
    defer { connection.disconnect() }
    return await source.next()?.value
  }

  /// Returns every action that is reduced from now on, with the state after it, as an asynchronous sequence. On a
  /// scope, only actions that were sent through it.
  public func actions(
    buffering: ActionBuffering = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreActions<State, Action> {
    let attachment = newWitness(Action.self, Placement("actions", fileID, line))
    let source = SequenceSource(RecordedActions<State, Action>(buffering))
    let tap = tap { [unowned engine] action, state in  // see above
      guard attachment.phase == .connected else { return }
      let (dropped, wake) = source.change { $0.append((action, state.lend { copy $0 })) }
      if let dropped { engine.decided.keep(dropped) }
      if let wake { engine.decided.deliver(wake) }
    }
    let binding = WitnessBinding(
      begin: tap.connected,
      end: { [unowned engine] in  // see above
        tap.ended()
        if let wake = source.end() { engine.decided.deliver(wake) }
      })
    engine.connect(attachment, recordedBy: binding)
    return StoreActions(SequenceHandle(source, at: attachment, in: engine))
  }

  /// Calls `observe` with every action that is reduced from now on and the state after it, for logs and analytics. On
  /// a scope, only with actions that were sent through it.
  ///
  /// The calls are made one after the other, in the order of the actions, away from the reducer queue: a slow closure
  /// delays nothing else. `settled()` waits for them.
  @discardableResult
  public func onAction(
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ observe: @escaping @Sendable (Action, State) -> Void
  ) -> Connection {
    let attachment = newWitness(Action.self, Placement(name ?? "onAction", fileID, line))
    let feed = ObserverFeed<(Action, State)>(of: attachment) { observe($0.0, $0.1) }
    let tap = tap { [unowned engine] action, state in  // see above
      if attachment.phase == .connected { feed.append((action, state.lend { copy $0 }), engine) }
    }
    let binding = WitnessBinding(
      begin: tap.connected,
      end: { [unowned engine] in  // see above
        tap.ended()
        feed.end(engine)
      }, isBusy: { feed.isServing })
    engine.connect(attachment, recordedBy: binding)
    return Connection(attachment, in: engine)
  }

  /// Connects an observer that receives every event of the whole store, whichever scope it is connected through: each
  /// action that is reduced, fenced or refused, and each run that starts, ends or is stopped.
  @discardableResult
  public func observe(
    _ observer: some StoreObserver, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Connection {
    let attachment = newWitness(type(of: observer), Placement(name, fileID, line))
    let feed = ObserverFeed<StoreEvent>(of: attachment) { observer.observe($0) }
    let binding = WitnessBinding(
      begin: { [unowned engine] in engine.add(feed) },  // see above
      end: { [unowned engine] in  // see above
        engine.remove(feed)
        feed.end(engine)
      }, isBusy: { feed.isServing })
    engine.connect(attachment, recordedBy: binding)
    return Connection(attachment, in: engine)
  }

  private func tap(_ record: @escaping ActionTap<State, Action>.Record) -> ActionTap<State, Action> {
    ActionTap(at: root, backend, through: account, engine, record)
  }

  private func newWitness(_ type: Any.Type, _ placement: Placement) -> Attachment {
    Attachment(newEntry(type, placement), .witness)
  }
}
