/// One execution of one request by one connection.
///
/// | field | guarded by |
/// |---|---|
/// | `phase`, `server`, `partEnded`, `reduced`, `fenced` | the turn lock |
/// | `lastTicket`, `hasReturned` | the mailbox lock |
/// | everything else | immutable |
final class Run: @unchecked Sendable {  // guarded as in the table
  /// The life of a run. Only a run that is decided or running is live.
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

  /// Never used again in its store.
  let generation: UInt64
  let request: any Hashable & Sendable
  let connected: Connected
  let cause: RunCause
  let engine: Engine
  var phase = Phase.decided
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

  init(
    generation: UInt64, request: any Hashable & Sendable, connected: Connected, cause: RunCause,
    engine: Engine
  ) {
    self.generation = generation
    self.request = request
    self.connected = connected
    self.cause = cause
    self.engine = engine
  }

  /// Whether it has been neither stopped nor concluded.
  var isLive: Bool { phase == .decided || phase == .running }

  /// Whether a body of it is running, or was until it was stopped.
  var isUnderWay: Bool { phase == .running || phase == .stopping }

  /// Whether `settled()` waits for it until it ends: also for a stopped body of a background effect.
  var isCounted: Bool { !connected.isBackground || phase == .stopping }

  /// Whether what it sends may touch the state: the one question that admission asks of a run.
  var isAdmitted: Bool { isLive && !connected.scope.isOver }

  /// Begins a task for it, which may find that the run is not wanted any more.
  func begin(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    let task = engine.begin(priority) { [self] in
      await CurrentWork.$mark.withValue(.run(self), operation: body)
    }
    let isStopped = engine.withTurnLock {
      if isLive || phase == .stopping { server = .task(task) }
      return phase == .stopping
    }
    if isStopped { task.cancel() }
  }

  /// The last look before the body's first line: whether the run is still wanted.
  func enter() -> Bool { engine.withTurnLock { hasEntered() } }

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
