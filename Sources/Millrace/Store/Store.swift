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
  /// What is behind a scope; `nil` for the store itself.
  private let derived: (any StoreBackend<State, Action>)?
  /// The account of a scope; `nil` for the store itself.
  private let account: Scope?
  /// Of a scope that the program holds, the store, which it keeps alive.
  private let owner: (any AnyObject & Sendable)?

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - queue: where it reduces: on a serial queue of its own by default, on the caller's stack in tests.
  ///   - options: name, diagnostics and loop budget.
  ///   - reduce: changes the state in answer to one action; called on the reducer queue.
  public init(
    initialState: State, on queue: ReducerQueue = .serial(), options: StoreOptions = StoreOptions(),
    reduce: @escaping Reducer<State, Action>
  ) {
    let box = StateBox(initialState, reduce)
    engine = Engine(host: box, queue: queue, options: options)
    derived = nil
    account = nil
    owner = nil
  }

  /// Makes a store of a part.
  init(
    engine: Engine, backend: any StoreBackend<State, Action>, scope: Scope,
    keeping owner: (any AnyObject & Sendable)?
  ) {
    self.engine = engine
    derived = backend
    account = scope
    self.owner = owner
  }

  deinit {
    if derived == nil { engine.lastHandleWasReleased() }
  }

  /// What is sent and connected through it is counted there.
  var scopeAccount: Scope { account ?? engine.scope }

  /// What scopes and connections send through. That of the store itself is made for each of them.
  var backend: any StoreBackend<State, Action> { derived ?? RootBackend(engine: engine) }

  // MARK: Reading

  /// A copy of the state after the last reduced action.
  ///
  /// Waits for the turn that goes on to end; one lock else. While the copy is held, the next change of a
  /// collection in it copies that collection. May not be read inside a reducer of the same store, which owns the
  /// state meanwhile.
  public var state: State {
    // Read through memory of its own: so it is never on this stack, and an optional would cost as much as the lock.
    let copy = UnsafeMutablePointer<State>.allocate(capacity: 1)
    defer { copy.deallocate() }
    var isRead = false
    engine.locked { _ in
      if engine.progress.pointee.evaluation == .reducing { Self.stateIsBusy(engine) }
      withState {
        copy.initialize(from: $0, count: 1)
        isRead = true
      }
    }
    precondition(isRead, "a backend always has a state")
    return copy.move()
  }

  private func withState(_ body: (UnsafePointer<State>) -> Void) {
    if let derived { return derived.withState(engine, body) }
    // The engine was made with a box of these types.
    body(UnsafePointer(unsafeDowncast(engine.host, to: StateBox<State, Action>.self).state))
  }

  private static func stateIsBusy(_ engine: Engine) -> Never {
    let message = "the state was read inside a reducer of the same store, which is changing it"
    engine.report(.stateReadInsideReducer, CallSite(fileID: #fileID, line: #line), message)
    fatalError(message)  // the state is half changed and exclusively the reducer's: reading it is undefined
  }

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
    post(action, CallSite(fileID: fileID, line: line))
  }

  private func post(_ action: Action, _ site: CallSite) -> Bool {
    // Past the backend: the hot path.
    if derived == nil {
      let envelope = Envelope(site: site, enclosure: nil)
      if engine.post(envelope, put: { $0.initializeMemory(as: Action.self, to: action) }) { return true }
      engine.refused(Sending(scope: scopeAccount, site: site), action)
      return false
    }
    return backend.send(action, Sending(scope: scopeAccount, site: site))
  }

  /// Sends several actions that are reduced in one turn: nobody sees the states in between, and effects are
  /// compared with the last of them alone.
  ///
  /// - Returns: `false` if they were refused, all of them.
  @discardableResult
  public func dispatch(batch actions: [Action], fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    backend.send(batch: actions, Sending(scope: scopeAccount, site: CallSite(fileID: fileID, line: line)))
  }

  /// Sends an action and returns when its fate is known: a producer that awaits cannot outrun the reducer.
  @discardableResult
  public func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) async -> Delivery {
    await withUnsafeContinuation { continuation in
      var sending = Sending(scope: scopeAccount, site: CallSite(fileID: fileID, line: line))
      sending.sender = .suspended(continuation)
      _ = backend.send(action, sending)
    }
  }

  /// Sends an action and returns when it is reduced, for callers that must see the state at once, such as a text
  /// field.
  ///
  /// Makes the turns that are due, up to and including this one, on the calling thread. Inside a reducer or a
  /// selector of the same store it cannot wait: that is reported, and the action waits for its turn.
  public func dispatchAndWait(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(fileID: fileID, line: line)
    if TurnFrame.isInside(engine) {
      engine.report(
        .waitInsideTurn, site,
        "dispatchAndWait inside a reducer or a selector of the same store cannot wait; the action waits for its turn"
      )
      _ = backend.send(action, Sending(scope: scopeAccount, site: site))
      return
    }
    engine.drainHere { post(action, site) }
  }

  // MARK: Deriving

  /// A store of a slice, which a module can hold without knowing the app.
  ///
  /// A scope holds no state of its own: it reads and changes the one state. Costs nothing per action until
  /// something is connected through it; then one comparison of the slice, shared with every scope and component
  /// of an equal key path.
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

  /// A store of a slice that is computed by a closure. Such a slice is evaluated for this scope alone.
  public func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    computed slice: @escaping @Sendable (State) -> Slice, action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    scope(Projection("computed", slice), action)
  }

  private func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ projection: Projection<State, Slice>, _ action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    Store<Slice, SliceAction>(
      engine: engine, backend: ScopedBackend(of: backend, projection, action: action),
      scope: Scope(parent: scopeAccount), keeping: derived == nil ? self : owner)
  }

  // MARK: Ending and telling

  /// Returns when nothing is queued and nothing runs but what was connected with `background: true`: no update,
  /// no run, no stopped body that has not returned. Of a scope: as far as it was sent or connected through it.
  ///
  /// A fixpoint of the store's own queue, never a length of time. Called inside a run or an update it does not wait
  /// for that one, nor for others that wait for it in the same way. Returns early if the task is cancelled. Consumers
  /// of sequences are not waited for.
  public func settled() async {
    await engine.wait(until: .settled(scopeAccount))
  }

  /// Accepts no more, reduces what was accepted, starts nothing new, stops every run after the graceful deadline,
  /// and returns when every run and update has returned or the hard deadline has passed. Of a scope: what was sent
  /// and connected through it.
  ///
  /// - Parameters:
  ///   - graceful: how long runs may go on before they are stopped.
  ///   - hard: how long stopped bodies may take to return; `nil` waits for as long as they take.
  ///   - clock: what the deadlines are measured on.
  /// - Returns: what had not returned by the hard deadline, by name.
  @discardableResult
  public func shutdown(
    graceful: Duration = .zero, hard: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async -> ShutdownReport {
    await engine.shutDown(scopeAccount, graceful: graceful, hard: hard, clock: clock)
  }

  /// What is connected and what runs at this moment. Costs its size; meant for people and tools.
  public var activity: StoreActivity { engine.activity(of: scopeAccount) }
}
