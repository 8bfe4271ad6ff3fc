/// One execution of one request by one connection.
///
/// | field | guarded by |
/// |---|---|
/// | `phase`, `isAnswered`, `server`, `partEnded`, `reduced`, `fenced` | the turn lock |
/// | `handover`, `newest`, `behind` | the turn lock |
/// | `lastTicket`, `hasReturned` | the mailbox lock |
/// | everything else | immutable |
final class Run: @unchecked Sendable {  // guarded as in the table
  /// The life of a run. Only a decided or running run is live. A run that a test has held may become decided again. A
  /// run that still waits for the run before it skips `stopping`.
  ///
  ///     decided ──▶ running ──▶ returned
  ///        └────┬──────┘
  ///             ▼
  ///          stopping ──▶ stopped
  enum Phase {
    /// It waits for the run before it or for its task.
    case decided
    /// Its body has begun.
    case running
    /// It was stopped. Its body is running, or will never begin.
    case stopping
    /// It was stopped, and none of its bodies is running.
    case stopped
    /// Its body has returned and was not stopped. Sending from now on is a mistake.
    case returned
  }

  /// The task or the test that serves a run.
  enum Server {
    case task(Task<Void, Never>)
    case test(HeldRun)

    /// Call it with no lock held, since a cancellation calls the user's handlers.
    func cancel() {
      switch self {
      case .task(let task): task.cancel()
      case .test(let held): held.run.engine.options.holder?.stopped(held)
      }
    }
  }

  /// A number that is never used again in its store.
  let generation: UInt64
  let asked: AskedRequest
  let connected: any RunServer
  let cause: RunCause
  let engine: Engine
  /// Receives the later values of the request; `nil` unless the effect's `replacement` is `.handOver`, and when the run
  /// has ended, since a `Send` may keep the run longer. It does not change while the body is in progress.
  var handover: (any Handover)?
  var phase = Phase.decided
  /// Whether one of its own actions has stopped it.
  var isAnswered = false
  /// `nil` before the run begins and after it has ended.
  var server: Server?
  /// The number of its own action that ended its part of the state.
  var partEnded: UInt64?
  /// The numbers of its actions that were reduced and fenced.
  var (reduced, fenced) = (0, 0)
  /// The number of the last envelope that it has sent.
  var lastTicket: UInt64 = 0
  /// Whether its body has returned. Actions that it sends after that are not reduced.
  var hasReturned = false

  /// The newest value that was handed over to it.
  var newest: (any Hashable & Sendable)?
  /// Its wait for the run before it.
  var behind: Wait?

  init(
    generation: UInt64, asked: AskedRequest, connected: any RunServer, cause: RunCause, engine: Engine
  ) {
    self.generation = generation
    self.asked = asked
    self.connected = connected
    self.cause = cause
    self.engine = engine
  }

  /// Whether it has been neither stopped nor concluded.
  var isLive: Bool { phase == .decided || phase == .running }

  /// Whether its body is running, or it was stopped and has not returned.
  var isUnderWay: Bool { phase == .running || phase == .stopping }

  /// Whether `settled()` waits for its end. It waits for a stopped body even of a long-running effect.
  var isCounted: Bool { !connected.isLongRunning || phase == .stopping }

  /// Whether its actions may change the state. Admission asks nothing else of a run.
  var isAdmitted: Bool { isLive && !connected.account.isOver }

  /// Begins to serve it: a test takes it, or else a task executes its body.
  func begin() {
    guard let holder = engine.options.holder else { return execute() }
    if let held = engine.locked({ hold() }) { holder.begun(held) } else { engine.bodyReturned(self) }
  }

  /// Begins a task that serves it.
  func execute() {
    let task = engine.begin(connected.priority) { [self] in
      await CurrentWork.$mark.withValue(.run(self)) { await connected.serve(self) }
    }
    taskBegan(task)
  }

  /// Records the task, and cancels it if the run was stopped before.
  func taskBegan(_ task: Task<Void, Never>) {
    let isStopped = engine.withTurnLock {
      if isLive || phase == .stopping { server = .task(task) }
      return phase == .stopping
    }
    // What its handlers begin is not part of the run that this thread may be executing.
    if isStopped { CurrentWork.cleared { task.cancel() } }
  }

  /// Checks the run before the first line of its body. The turn lock must be held.
  ///
  /// - Returns: `false` if the run is no longer asked for.
  func enter() -> Bool {
    guard isAdmitted, phase == .decided else { return false }
    phase = .running
    return true
  }

  /// Gives it to a test, unless it is no longer asked for.
  private func hold() -> HeldRun? {
    guard enter() else { return nil }
    let held = HeldRun(self)
    server = .test(held)
    return held
  }

  /// Takes it back from a test, for its task to serve.
  ///
  /// - Returns: whether a test had it.
  func unhold() -> Bool {
    engine.withTurnLock {
      guard case .test = server else { return false }
      server = nil
      if isLive { phase = .decided }
      return true
    }
  }

  /// The request that it was made for.
  var request: any Hashable & Sendable { asked.erased }

  /// The request that it serves: the newest value that was handed over.
  var newestRequest: any Hashable & Sendable { newest ?? request }

  /// Whether it waits for the run before it.
  var isBehind: Bool { behind != nil && phase == .decided }

  var identity: RunIdentity {
    RunIdentity(
      connection: connected.id, name: connected.label.text, generation: generation, request: request)
  }
}

/// The cause of a run, for the loop detector and the causal trace.
struct RunCause: Sendable {
  /// The sequence number of the action after which the state asked for it; `nil` if the state did so at the connection.
  var action: UInt64?
  /// The number of runs that led to it, each by one of its actions, without an outside cause.
  var depth = 0
  /// The links of the chain. They are kept only if the chain is suspiciously long.
  var trail: LoopTrail?
  /// The moment at which it was decided.
  var instant = Moment.now
}

extension RunCause {
  /// Returns the cause of a run that the current turn decides. Reports a loop if its chain of causes is too long.
  init(of asked: AskedRequest, for connected: any RunServer, in engine: Engine) {
    self.init(action: engine.turn.isOfAction ? engine.turn.sequence : nil)
    guard let parent = engine.turn.run else { return }
    let detection = engine.options.loopDetection
    let isFresh = parent.cause.instant.duration(to: instant) >= detection.minimumPause
    depth = isFresh ? 1 : parent.cause.depth + 1
    guard depth > detection.maxRuns, !connected.isLoopReported else { return }
    var trail = isFresh ? LoopTrail() : parent.cause.trail ?? LoopTrail()
    let link = LoopTrail.Link(
      connection: connected.id, action: engine.currentAction ?? "?",
      slice: connected.path?.text(withIDs: false) ?? "-", name: connected.label.text, request: asked.erased)
    let cycle = trail.runStarted(link)
    if cycle == nil { self.trail = trail }
    guard let cycle else { return }
    connected.isLoopReported = true
    engine.report(.loop, connected.site) { [depth] in
      "\(link.name) keeps answering its own result: \(depth) runs without outside cause, in the cycle "
        + cycle.map(\.text).joined(separator: " → ")
    }
  }
}

/// A connection that has runs.
protocol RunServer: Connected {
  /// Serves the request of a run, unless the run is no longer asked for, and concludes the run.
  func serve(_ run: Run) async
  /// Concludes a run. Its body has returned, or has never begun, and everything that the run has sent has had its turn.
  /// Called with the turn lock held.
  func conclude(_ run: Run)
  /// Whether a loop of it was reported.
  var isLoopReported: Bool { get set }
  /// The priority of the tasks of its runs.
  var priority: TaskPriority? { get }

  // What recordings look at. The turn lock must be held.

  /// The runs that have not returned.
  var liveRuns: [WitnessedMoment.LiveRun] { get }
  /// Returns `nil` if the requests of the effect have another type.
  func moment(of request: any Hashable & Sendable) -> RequestMoment?

  // A test answers instead of the run's body.

  /// - Returns: whether the action was accepted; `nil` if it has another type.
  func send(_ action: any Sendable, from run: Run, at site: CallSite) -> Bool?
  /// The effect component, while a run is live.
  var component: any Sendable { get }
  /// - Returns: `false` if the error has another type.
  func fail(_ run: Run, with error: any Error) -> Bool
}

/// Receives the values that are handed over to a run.
protocol Handover: Sendable {
  /// Hands over the newest value.
  ///
  /// - Returns: a function that wakes a run that waits for the value. Call it with no lock held.
  func hand(_ request: any Sendable) -> @Sendable () -> Void
  /// Takes the waiting value, for a run that a test holds.
  func take()
  /// The last value that the run has taken.
  var lastTaken: any Sendable { get }
  /// Ends the sequence when the run has returned.
  ///
  /// - Returns: whether a value that was handed over has not been taken, and a function that wakes a task that still
  ///   waits for one. Call the function with no lock held.
  func close() -> (isLeft: Bool, wake: (@Sendable () -> Void)?)
}
