/// One execution of one request by one connection.
///
/// | field | guarded by |
/// |---|---|
/// | `phase`, `isAnswered`, `server`, `partEnded`, `reduced`, `fenced`, `body`, `handover`, `newest`, `behind` | the turn lock |
/// | `lastTicket`, `hasReturned` | the mailbox lock |
/// | everything else | immutable |
final class Run: @unchecked Sendable {  // guarded as in the table
  /// The life of a run. Only a run that is decided or running is live. One that a test has held may go back to decided;
  /// one that has not begun and is not wanted any more is stopped at once.
  ///
  ///     decided ──▶ running ──▶ returned
  ///        └────┬──────┘
  ///             ▼
  ///          stopping ──▶ stopped
  enum Phase {
    /// It waits for its predecessor or for its task.
    case decided
    /// Its body has begun.
    case running
    /// It was stopped. Its body is running, or never begins.
    case stopping
    /// It was stopped, and no body of it is running any more.
    case stopped
    /// Its body has returned without having been stopped: sending from here on is a mistake.
    case returned
  }

  /// What serves a run.
  enum Server {
    case task(Task<Void, Never>)
    case test(HeldRun)

    /// With no lock held, since cancelling calls handlers of the user's.
    func cancel() {
      switch self {
      case .task(let task): task.cancel()
      case .test(let held): held.wasStopped()
      }
    }
  }

  /// Serves the request and concludes the run.
  typealias Body = @Sendable (Run) async -> Void

  /// Never used again in its store.
  let generation: UInt64
  let id: Erased
  let request: any Hashable & Sendable
  let connected: any RunServer
  let cause: RunCause
  let engine: Engine
  // What the user has given for it; `nil` once it has ended: a `Send` may keep the run for longer.
  var body: Body?
  /// Receives the later values of the request; `nil` unless the effect's `replacement` is `.handOver`.
  var handover: (any Handover)?
  var phase = Phase.decided
  /// Whether an action of its own has stopped it.
  var isAnswered = false
  /// `nil` before it begins, and once it has ended.
  var server: Server?
  /// The action of its own by which its part of the state ended.
  var partEnded: UInt64?
  /// How many actions of it were reduced and fenced.
  var (reduced, fenced) = (0, 0)
  /// The number of the last envelope that it has sent.
  var lastTicket: UInt64 = 0
  /// Whether its body has returned: it sends nothing more that is reduced.
  var hasReturned = false

  /// The newest value that was handed over to it.
  var newest: (any Hashable & Sendable)?
  /// Its wait for the run before it.
  var behind: Wait?

  init(
    generation: UInt64, id: Erased, request: any Hashable & Sendable, connected: any RunServer,
    cause: RunCause, engine: Engine
  ) {
    self.generation = generation
    self.id = id
    self.request = request
    self.connected = connected
    self.cause = cause
    self.engine = engine
  }

  /// Whether it has been neither stopped nor concluded.
  var isLive: Bool { phase == .decided || phase == .running }

  /// Whether a body of it is running, or was until it was stopped.
  var isUnderWay: Bool { phase == .running || phase == .stopping }

  /// Whether `settled()` waits for it until it ends: also for a stopped body of a long-running effect.
  var isCounted: Bool { !connected.isLongRunning || phase == .stopping }

  /// Whether what it sends may touch the state: the one question that admission asks of a run.
  var isAdmitted: Bool { isLive && !connected.account.isOver }

  /// Begins a task for it, which may find that the run is not wanted any more: then the body never begins.
  func begin() {
    let task = engine.begin(connected.priority) { [self] in
      await CurrentWork.$mark.withValue(.run(self)) {
        if let body = enter() { await body(self) } else { engine.bodyReturned(self) }
      }
    }
    taskBegan(task)
  }

  /// Puts the task on record, and cancels it if the run was stopped before.
  func taskBegan(_ task: Task<Void, Never>) {
    let isStopped = engine.withTurnLock {
      if isLive || phase == .stopping { server = .task(task) }
      return phase == .stopping
    }
    if isStopped { task.cancel() }
  }

  /// The last look before the body's first line.
  ///
  /// - Returns: the body; `nil` if the run is not wanted any more.
  func enter() -> Body? {
    // Not as a result: a function that a generic one returns is wrapped in another.
    var entered: Body?
    engine.withTurnLock { if hasEntered() { entered = body } }
    return entered
  }

  private func hasEntered() -> Bool {
    guard isAdmitted, phase == .decided else { return false }
    phase = .running
    return true
  }

  /// Leaves it to a test, unless it is not wanted any more.
  func hold(as held: HeldRun) -> Bool {
    engine.withTurnLock {
      guard hasEntered() else { return false }
      server = .test(held)
      return true
    }
  }

  /// Takes it back from a test, for the task that is to serve it.
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

  /// What it serves: the request as it was handed over last.
  var newestRequest: any Hashable & Sendable { newest ?? request }

  /// Whether it waits for the run before it.
  var isBehind: Bool { behind != nil && phase == .decided }

  var identity: RunIdentity {
    RunIdentity(
      connection: connected.id, name: connected.label.text, generation: generation, request: request)
  }
}

/// Why a run was started: what the loop detector and the causal trace need of it.
struct RunCause: Sendable {
  /// The sequence number of the action that made the state ask for it; `nil` if it was asked for on connect.
  var action: UInt64?
  /// How many runs led to it, each by an action of its own, without outside cause.
  var depth = 0
  /// The links of the chain, kept only once it is suspiciously long.
  var trail: LoopTrail?
  /// When it was decided.
  var instant = Moment.now
}

extension RunCause {
  /// The cause of a run that the current turn decides, with a report if its chain has become a loop.
  ///
  /// - Parameter isReported: whether a loop of the connection was reported.
  init(
    of request: any Sendable, for connected: Connected, in engine: Engine, isReported: inout Bool
  ) {
    self.init(action: engine.turn.isOfAction ? engine.turn.sequence : nil)
    guard let parent = engine.turn.run else { return }
    let detection = engine.options.loopDetection
    let isFresh = parent.cause.instant.duration(to: instant) >= detection.minimumPause
    depth = isFresh ? 1 : parent.cause.depth + 1
    guard depth > detection.maxRuns, !isReported else { return }
    var trail = isFresh ? LoopTrail() : parent.cause.trail ?? LoopTrail()
    let link = LoopTrail.Link(
      connection: connected.id, action: engine.currentAction ?? "?",
      slice: connected.path?.text(withIDs: false) ?? "-", name: connected.label.text, request: request)
    let cycle = trail.runStarted(link)
    if cycle == nil { self.trail = trail }
    guard let cycle else { return }
    isReported = true
    engine.report(.loop, connected.site) { [depth] in
      "\(link.name) keeps answering its own result: \(depth) runs without outside cause, in the cycle "
        + cycle.map(\.text).joined(separator: " → ")
    }
  }
}

/// What is connected and has runs.
protocol RunServer: Connected {
  /// The body of a run has returned, or has never begun, and all that the run has sent has had its turn. Called with the turn
  /// lock held.
  func conclude(_ run: Run)
  /// The priority of the tasks of its runs.
  var priority: TaskPriority? { get }

  // A test answers in place of the run's body.

  /// - Returns: whether the action was accepted; `nil` if it is of another type.
  func send(_ action: any Sendable, from run: Run, at site: CallSite) -> Bool?
  /// - Returns: `false` if the error is of another type.
  func fail(_ run: Run, with error: any Error) -> Bool
}

/// Receives the values that are handed over to a run.
protocol Handover: Sendable {
  /// Hands over the newest value.
  ///
  /// - Returns: what wakes a run that waits for it, to be called with no lock held.
  func hand(_ request: any Sendable) -> @Sendable () -> Void
  /// Takes the value that waits, for a run that a test holds.
  func take()
  /// The value that the run has taken last.
  var lastTaken: any Sendable { get }
  /// Ends the sequence when the run has returned.
  ///
  /// - Returns: whether a value that was handed over has not been taken, and what wakes a task that still waits for one, to
  ///   be called with no lock held.
  func close() -> (isLeft: Bool, wake: (@Sendable () -> Void)?)
}
