import MillraceSpelling

/// Owns a state, changes it with one reducer, one action at a time, and keeps components connected to it.
///
/// ```swift
/// let store = Store(initialState: Search.State(), reduce: Search.reduce)
/// store.connect(SearchEffect(client: client))
/// store.dispatch(.queryChanged("swift"))
/// ```
///
/// The store lives as long as the program holds it or a scope of it. Connections and runs do not keep it alive. When
/// the last reference is released, the store accepts nothing more, stops its runs, and still reduces the actions that
/// it had accepted.
///
/// Every method may be called from anywhere: from any thread and isolation, inside an update, inside a run, inside a
/// `deinit`. Do not use a store inside a reducer: a reducer changes its state and calls nothing else.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  let engine: Engine
  /// The engine with its types, for the root store; `nil` for a scope.
  let root: StateEngine<State, Action>?
  let backend: Backend<State, Action>
  /// The account of everything that is sent and connected through this store.
  let account: Account
  /// The root store of a scope that the program made. The scope keeps it alive.
  let owner: (any AnyObject & Sendable)?

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - queue: where the store reduces: by default away from the caller's thread; with `.immediate`, for tests, on
  ///     the caller's stack.
  ///   - options: the store's name, diagnostics and loop budget.
  ///   - reduce: changes the state in answer to one action; called on the reducer queue.
  public init(
    initialState: State, on queue: ReducerQueue = .serial(), options: StoreOptions = StoreOptions(),
    reduce: @escaping Reducer<State, Action>
  ) {
    let engine = StateEngine(initialState, reduce, queue: queue, options: options)
    root = engine
    self.engine = engine
    backend = StoreBackend()
    account = engine.account
    owner = nil
  }

  /// Makes a scope, or the store of a part.
  init(
    engine: Engine, backend: Backend<State, Action>, account: Account,
    keeping owner: (any AnyObject & Sendable)?
  ) {
    self.engine = engine
    self.backend = backend
    self.account = account
    self.owner = owner
    root = nil
  }

  deinit {
    if root != nil { engine.lastHandleWasReleased() }
  }

  // MARK: Reading

  /// A copy of the state after the last reduced action.
  ///
  /// Blocks for a few turns if turns are being made; otherwise takes one lock. While the copy is held, the next
  /// change of an array in it copies that array.
  ///
  /// - Precondition: Not read inside a reducer of the same store, which has exclusive access to the state. The program
  ///   traps with a message that names the store, and the type and case of the action.
  public var state: State {
    // The state is read through a box, so that a large state is never on this stack.
    let box = engine.locked { () -> Box<State>? in
      if engine.turn.evaluation == .reducing { stateIsBusy() }
      var box: Box<State>?
      backend.read(engine) { box = Box(copying: $0) }
      return box
    }
    guard let box else { preconditionFailure("a store that is held has its state") }
    engine.options.wiring?.reads(box.value)
    return box.value
  }

  private func stateIsBusy() -> Never {
    let action = engine.currentAction.map { Spelling.kind(of: $0) } ?? "an action"
    let message = "the state of \(engine.name) was read inside its own reducer, which was reducing \(action)"
    engine.tell(
      StoreDiagnostic(
        kind: .stateReadInsideReducer, message: message, site: CallSite(fileID: #fileID, line: #line)))
    fatalError(message)  // the reducer has exclusive access to the half changed state
  }

  // MARK: Sending

  /// Sends an action and returns at once.
  ///
  /// The action is reduced later on the reducer queue, after all actions that were accepted before. Costs a lock and a
  /// copy of the action. A dispatch inside a reducer of the same store is probably a mistake; debug builds report it,
  /// and the action is accepted.
  ///
  /// - Returns: `false` if the action was refused because the store or scope was shut down.
  @discardableResult
  public func dispatch(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    let site = CallSite(fileID: fileID, line: line)
    noticeMisuse(site)
    guard root != nil else { return post(action, site) }
    // A shortcut without the backend, since the root store gets most actions. It gives `nil` if actions are recorded.
    let envelope = Envelope(site: site, details: nil)
    let isAccepted = root!.post(action, envelope, through: account, isTapped: false)
    return isAccepted ?? post(action, site, isTapped: true)
  }

  /// Not inlined, so that the shortcut above has a small frame.
  @inline(never)
  private func post(_ action: Action, _ site: CallSite, isTapped: Bool = false) -> Bool {
    backend.send(action, through: account, engine, Sending(site: site, isTapped: isTapped))
  }

  /// Reports an action that is dispatched inside a reducer or a selector of the same store, in debug builds.
  private func noticeMisuse(_ site: CallSite) {
    #if DEBUG
    guard engine.isInsideTurn, engine.turn.evaluation != .none else { return }
    engine.report(.dispatchInsideTurn, site) {
      "an action was dispatched inside a reducer or a selector of the same store; it waits for its turn"
    }
    #endif
  }

  /// Sends an action and waits until it is reduced, fenced or refused. A producer that awaits each call cannot send
  /// faster than the reducer works.
  @discardableResult
  public func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) async -> Delivery {
    await withUnsafeContinuation { continuation in
      let site = CallSite(fileID: fileID, line: line)
      _ = backend.send(action, through: account, engine, Sending(site: site, sender: continuation))
    }
  }

  /// Sends an action and blocks until it is reduced. For callers that must see the new state at once, such as a text
  /// field.
  ///
  /// Makes all turns that are due, up to and including this one, on the calling thread. It cannot wait inside a reducer
  /// or a selector of the same store. Debug builds report such a call, and the action is reduced later like any other.
  public func dispatchAndWait(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(fileID: fileID, line: line)
    if engine.isInsideTurn {
      engine.report(.waitInsideTurn, site) {
        "dispatchAndWait inside a reducer or a selector of the same store cannot wait; the action waits for its turn"
      }
      _ = post(action, site)
      return
    }
    engine.drainHere { dispatch(action, fileID: fileID, line: line) }
  }

  // MARK: Waiting, ending and listing

  /// Waits until no action is queued, no update is pending or in progress, no run is in progress, and each stopped
  /// run has returned. Work of connections with `longRunning: true` is not waited for. On a scope, waits only for what
  /// was sent or connected through it.
  ///
  /// The result depends on the store's own work, never on a length of time. Called inside a run or an update, it does
  /// not wait for that one; two such calls in different runs wait for each other. Returns early if the calling task is
  /// cancelled. Does not wait for consumers of sequences. In debug builds, a wait of a second reports what it waits
  /// for.
  public func settled() async {
    await engine.wait(until: .settled(account), isCancellable: true, for: "settled()")
  }

  /// Waits as `settled()` does, for a limited time.
  ///
  /// - Returns: `false` if the time has passed and the store has not settled.
  package func settled(within time: Duration, clock: any Clock<Duration>) async -> Bool {
    if engine.isSettled(account) { return true }
    let hasSettled = await engine.limit(to: time, clock) { [engine, account] in
      await engine.wait(until: .settled(account), isCancellable: true, for: "settle()")
    }
    return hasSettled == true || engine.isSettled(account)
  }

  /// Ends the store in order, and returns when every run and update has returned or the hard deadline has passed. On
  /// a scope, ends what was sent and connected through it.
  ///
  /// The store refuses further actions from outside, reduces those that it had accepted, and starts no new run. Until
  /// the graceful deadline, live runs continue and their actions are reduced, so that they can deliver results. Runs
  /// that remain at the deadline are stopped. Then sequences end with their last value, and components and views get
  /// their last props, also those in lifetimes and those of long-running connections.
  ///
  /// Waits even if the calling task is cancelled. Called inside a run or an update, it does not wait for that one.
  ///
  /// - Parameters:
  ///   - graceful: how long runs may continue before they are stopped. It ends early once only long-running runs are
  ///     left.
  ///   - hard: how long to wait for stopped runs and last updates to return. Begins when the graceful time has ended.
  ///     With `nil`, waits until all have returned.
  ///   - clock: the clock of both deadlines. More than a hundred years are no deadline.
  /// - Returns: the connections whose work had not returned by the hard deadline, or whose last update had not begun.
  @discardableResult
  public func shutdown(
    graceful: Duration = .zero, hard: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async -> ShutdownReport {
    await engine.shutDown(account, graceful: graceful, hard: hard, clock: clock)
  }

  /// The connections and their work at this moment; of more than 4,096 connections, a portion at a time. Meant for
  /// people and tools. Costs time in proportion to the number of connections and runs.
  public var activity: StoreActivity { engine.activity(of: account) }
}
