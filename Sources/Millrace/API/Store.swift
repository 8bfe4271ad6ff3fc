/// Owns a state, changes it by one reducer, one action at a time, and keeps components connected to it.
///
/// ```swift
/// let store = Store(initialState: Search.State(), reduce: Search.reduce)
/// store.connect(SearchEffect(client: client))
/// store.dispatch(.queryChanged("swift"))
/// ```
///
/// A store that the program makes, and every scope of it that the program holds, keeps the store alive; what is
/// connected and what runs does not. When the last handle goes, nothing more is accepted, runs are stopped, and
/// what was accepted is still reduced.
///
/// Every method is callable from anywhere: from any thread and isolation, inside an update, inside a run, inside
/// a `deinit`. Unfit for work inside a reducer: a reducer changes its state and calls nothing.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  let engine: Engine
  /// The state itself; `nil` for a scope.
  let host: StateHost<State, Action>?
  let backend: Backend<State, Action>
  /// The account of what is sent and connected through it.
  let account: Scope
  /// Of a scope that the program holds, the store, which it keeps alive.
  private let owner: (any AnyObject & Sendable)?

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - queue: where it reduces: one action at a time off the caller's thread by default, on the caller's
  ///     stack in tests.
  ///   - options: name, diagnostics and loop budget.
  ///   - reduce: changes the state in answer to one action; called on the reducer queue.
  public init(
    initialState: State, on queue: ReducerQueue = .serial(), options: StoreOptions = StoreOptions(),
    reduce: @escaping Reducer<State, Action>
  ) {
    let host = StateHost(initialState, reduce)
    let engine = Engine(host: host, queue: queue, options: options)
    self.host = host
    self.engine = engine
    backend = .root()
    account = engine.scope
    owner = nil
  }

  /// Makes a store of a part.
  init(
    engine: Engine, backend: Backend<State, Action>, account: Scope,
    keeping owner: (any AnyObject & Sendable)?
  ) {
    self.engine = engine
    self.backend = backend
    self.account = account
    self.owner = owner
    host = nil
  }

  deinit {
    if host != nil { engine.lastHandleWasReleased() }
  }

  // MARK: Reading

  /// A copy of the state after the last reduced action.
  ///
  /// Blocks while a few turns are made, if any are in progress; otherwise takes one lock. While the copy is
  /// held, the next change of an array in it copies that array. May not be read inside a reducer of the same
  /// store, which owns the state meanwhile.
  public var state: State {
    // Read through a box: so the state is never on this stack, however large.
    let box = engine.locked { () -> Box<State>? in
      if engine.evaluation == .reducing { stateIsBusy() }
      var box: Box<State>?
      if let host {
        box = Box(copying: host.place.lent)
      } else {
        backend.read(engine) { box = Box(copying: $0) }
      }
      return box
    }
    guard let box else { preconditionFailure("a store that is held has its state") }
    return box.value
  }

  private func stateIsBusy() -> Never {
    let message = "the state was read inside a reducer of the same store, which is changing it"
    options.diagnostics.report(
      Diagnostic(
        kind: .stateReadInsideReducer, message: message, site: CallSite(fileID: #fileID, line: #line)))
    fatalError(message)  // the state is half changed and exclusively the reducer's: reading it is undefined
  }

  private var options: StoreOptions { engine.options }

  // MARK: Sending

  /// Sends an action and returns at once.
  ///
  /// The action is reduced later on the reducer queue, after everything that was accepted before. Costs a lock
  /// and a copy of the action. Inside a reducer of the same store it is most likely a mistake, which debug builds
  /// report; the action is accepted all the same.
  ///
  /// - Returns: `false` if it was refused, since the store or scope was shut down.
  @discardableResult
  public func dispatch(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    let site = CallSite(fileID: fileID, line: line)
    noticeMisuse(site)
    // Past the backend: the hot path.
    if host != nil {
      return host.unsafelyUnwrapped.post(action, Envelope(site: site, details: nil), through: account, engine)
    }
    return backend.send(action, Sending(engine: engine, scope: account, site: site))
  }

  /// Reports an action that is dispatched inside a reducer or a selector of the same store, in debug builds.
  private func noticeMisuse(_ site: CallSite) {
    #if DEBUG
    guard engine.isInsideTurn, engine.evaluation != .none else { return }
    engine.report(.dispatchInsideTurn, site) {
      "an action was dispatched inside a reducer or a selector of the same store; it waits for its turn"
    }
    #endif
  }

  /// Sends several actions that are reduced in one turn: nobody sees the states in between, and effects are
  /// compared with the last of them alone.
  ///
  /// - Returns: `false` if they were refused, all of them.
  @discardableResult
  public func dispatch(batch actions: [Action], fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    let site = CallSite(fileID: fileID, line: line)
    noticeMisuse(site)
    return backend.send(batch: actions, Sending(engine: engine, scope: account, site: site))
  }

  /// Sends an action and returns when its fate is known: a producer that awaits cannot outrun the reducer.
  @discardableResult
  public func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) async -> Delivery {
    await withUnsafeContinuation { continuation in
      let site = CallSite(fileID: fileID, line: line)
      _ = backend.send(action, Sending(engine: engine, scope: account, site: site, sender: continuation))
    }
  }

  /// Sends an action and returns when it is reduced, for callers that must see the state at once, such as a text
  /// field.
  ///
  /// Makes the turns that are due, up to and including this one, on the calling thread. Inside a reducer or a
  /// selector of the same store it cannot wait: that is reported, and the action waits for its turn.
  public func dispatchAndWait(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(fileID: fileID, line: line)
    if engine.isInsideTurn {
      engine.report(.waitInsideTurn, site) {
        "dispatchAndWait inside a reducer or a selector of the same store cannot wait; the action waits for its turn"
      }
      _ = backend.send(action, Sending(engine: engine, scope: account, site: site))
      return
    }
    engine.drainHere { dispatch(action, fileID: fileID, line: line) }
  }

  // MARK: Deriving

  /// A store of a slice, which a module can hold without knowing the app.
  ///
  /// A scope holds no state of its own: it reads and changes the one state. Costs nothing per action until
  /// something is connected through it; then one comparison of the slice, shared with every scope and component
  /// of an equal key path. The store then keeps the slice's last value: an array in it is copied by its next
  /// change, in every turn that changes it if an effect is connected through the scope, and at most once per
  /// drained batch otherwise.
  ///
  /// ```swift
  /// let search = store.scope(\.search, action: AppAction.search)
  /// ```
  ///
  /// - Parameters:
  ///   - slice: the way to the slice.
  ///   - action: makes the store's action of the scope's; pure.
  public func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ slice: any KeyPath<State, Slice> & Sendable, action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    scope(Projection(slice), action)
  }

  /// A store of a slice that is sent the store's own actions.
  public func scope<Slice: Equatable & Sendable>(
    _ slice: any KeyPath<State, Slice> & Sendable
  ) -> Store<Slice, Action> {
    scope(Projection(slice), { $0 })
  }

  /// A store of a slice that is computed by a closure. Such a slice is evaluated for this scope alone, where
  /// the state is stored, and its last value is kept as with a key path.
  public func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    computed slice: @escaping @Sendable (State) -> Slice, action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    scope(Projection("computed", slice), action)
  }

  /// A store of a slice that is computed by a closure, and that is sent the store's own actions. Like the method with
  /// `action:`, at the same cost.
  public func scope<Slice: Equatable & Sendable>(
    computed slice: @escaping @Sendable (State) -> Slice
  ) -> Store<Slice, Action> {
    scope(Projection("computed", slice), { $0 })
  }

  private func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ projection: Projection<State, Slice>, _ action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    Store<Slice, SliceAction>(
      engine: engine, backend: .scope(of: backend, projection, action), account: Scope(parent: account),
      keeping: host != nil ? self : owner)
  }

  // MARK: Ending and telling

  /// Returns when nothing is queued and nothing runs but what was connected with `background: true`: no update,
  /// no run, no stopped body that has not returned. Of a scope: as far as it was sent or connected through it.
  ///
  /// A fixpoint of the store's own queue, never a length of time. Called inside a run or an update it does not wait
  /// for that one, nor for others that wait for it in the same way. Returns early if the task is cancelled. Consumers
  /// of sequences are not waited for.
  public func settled() async {
    await engine.wait(until: .settled(account), isCancellable: true)
  }

  /// Accepts no more from outside, reduces what was accepted, starts nothing new, stops every run after the
  /// graceful deadline, and returns when every run and update has returned or the hard deadline has passed.
  /// Of a scope: what was sent and connected through it.
  ///
  /// Until the graceful deadline what live runs send is reduced, so that they can deliver. Components get
  /// their last props. Waits whether or not the calling task is cancelled. Called inside a run or an update,
  /// it does not wait for that one.
  ///
  /// - Parameters:
  ///   - graceful: how long runs may go on and deliver before they are stopped.
  ///   - hard: how long stopped bodies may take to return; `nil` waits for as long as they take.
  ///   - clock: what the deadlines are measured on.
  /// - Returns: everything that had not returned by the hard deadline, by name.
  @discardableResult
  public func shutdown(
    graceful: Duration = .zero, hard: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async -> ShutdownReport {
    await engine.shutDown(account, graceful: graceful, hard: hard, clock: clock)
  }

  /// What is connected and what runs at this moment. Costs its size; meant for people and tools.
  public var activity: StoreActivity { engine.activity(of: account) }
}
