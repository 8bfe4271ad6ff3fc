/// One execution of one request by one connection.
///
/// | field | guarded by |
/// |---|---|
/// | `phase`, `isCounted`, `partEnded`, `reduced`, `fenced` | the turn lock |
/// | `execution`, `lastTicket` | the mailbox lock |
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

  private enum Execution {
    case notBegun
    case cancelledEarly
    case begun(Task<Void, Never>)
    case held(HeldRun)
    case returned
  }

  /// Never used again in its store.
  let generation: UInt64
  let request: any Hashable & Sendable
  let connected: Connected
  let cause: RunCause
  let engine: Engine
  var phase = Phase.decided
  /// Whether `settled()` waits for it.
  var isCounted = false
  /// The action of its own by which its part of the state ended.
  var partEnded: UInt64?
  /// How many actions of it were reduced and fenced.
  var (reduced, fenced) = (0, 0)
  private var execution = Execution.notBegun
  /// Whether its body has returned. Guarded as the execution is.
  var hasReturned: Bool { if case .returned = execution { true } else { false } }
  /// The number of the last envelope that it has sent.
  var lastTicket: UInt64 = 0

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

  /// Whether what it sends may touch the state: the one question that admission asks of a run.
  var isAdmitted: Bool { isLive && !connected.scope.isOver }

  /// Begins a task for it, which may find that the run is not wanted any more.
  func begin(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    let task = engine.begin(priority) { [self] in
      await CurrentWork.$mark.withValue(.run(self), operation: body)
    }
    let isCancelled = engine.mail.withLock { _ in
      switch execution {
      case .notBegun: execution = .begun(task)
      case .cancelledEarly: return true
      case .begun, .held, .returned: break
      }
      return false
    }
    if isCancelled { task.cancel() }
  }

  /// Leaves it to a holder, unless it is not wanted any more.
  ///
  /// - Returns: whether it is held.
  func hold(as held: HeldRun) -> Bool {
    enter()
      && engine.mail.withLock { _ in
        guard case .notBegun = execution else { return false }
        execution = .held(held)
        return true
      }
  }

  /// Gives it back to its task, which is to begin it: from here on it is cancelled as any other.
  ///
  /// - Returns: whether it was held.
  func unhold() -> Bool {
    engine.locked {
      let wasHeld = engine.mail.withLock { _ in
        guard case .held = execution else { return false }
        execution = .notBegun
        return true
      }
      guard wasHeld else { return false }
      if isLive { phase = .decided }
      return true
    }
  }

  /// The last look before the body's first line: whether the run is still wanted.
  func enter() -> Bool {
    engine.locked {
      guard isAdmitted, phase == .decided else { return false }
      phase = .running
      return true
    }
  }

  /// Cancels the task. Called with no lock held, since cancelling calls handlers of the user's.
  func cancel() {
    let found = engine.mail.withLock { _ in
      defer { if case .notBegun = execution { execution = .cancelledEarly } }
      return execution
    }
    switch found {
    case .begun(let task): task.cancel()
    case .held(let held): engine.options.holder?.stopped(held)
    case .notBegun, .cancelledEarly, .returned: break
    }
  }

  /// The body has returned: there is nothing left to cancel.
  func leave() {
    let left = engine.mail.withLock { _ in
      defer { execution = .returned }
      return execution
    }
    withExtendedLifetime(left) {}  // a task is released with no lock held
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
