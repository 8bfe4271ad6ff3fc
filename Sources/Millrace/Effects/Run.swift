/// One execution of one request by one connection.
///
/// | field | guarded by |
/// |---|---|
/// | `isLive`, `isWanted`, `phase`, `task`, `isCounted` | the engine's turn lock |
/// | everything else | immutable |
final class Run: CountedWork, @unchecked Sendable {  // guarded as in the table
  enum Phase {
    /// Decided, and waits for its predecessor or for its task.
    case decided
    /// Its body has begun.
    case began
    /// Its body has returned, or was stopped before it began.
    case returned
  }

  /// Never used again in its store.
  let generation: UInt64
  let request: RequestKey
  let connection: UInt64
  let label: Label
  let scope: Scope
  let cause: RunCause
  weak let engine: Engine?
  /// Whether what it sends is admitted: from its decision until it is stopped or has returned.
  var isLive = true
  var phase = Phase.decided
  var task: Task<Void, Never>?
  var isCounted = false

  init(
    generation: UInt64, request: RequestKey, place: Place, cause: RunCause, engine: Engine
  ) {
    self.generation = generation
    self.request = request
    connection = place.id
    label = place.label
    scope = place.scope
    self.cause = cause
    self.engine = engine
  }

  /// Makes the run's task. Called with no lock held.
  func begin(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    let task = Task.detached(priority: priority) {
      await CurrentWork.$work.withValue(self) { await body() }
    }
    guard let engine else { return task.cancel() }
    let isStopped = engine.locked { _ in
      guard phase != .returned else { return false }
      self.task = task
      return !isLive
    }
    if isStopped { task.cancel() }
  }

  /// Cancels the run's task. Called with no lock held, since cancelling calls handlers of the user's. A run that
  /// has no task yet is cancelled when it gets one.
  func cancel() {
    guard let engine else { return }
    engine.locked { _ in task }?.cancel()
  }

  var identity: RunIdentity {
    RunIdentity(connection: connection, name: label.text, generation: generation, request: request.box.value)
  }
}

/// Why a run was started: what the loop detector and the causal trace need of it.
struct RunCause {
  /// The sequence number of the action that made the state ask for it; `nil` if it was asked for on connect.
  var action: UInt64?
  /// How many runs led to it, each by an action of its own, without outside cause.
  var depth = 0
  /// The links of the chain, kept only once it is suspiciously long.
  var trail: LoopTrail?
  /// When it was decided.
  var instant = ContinuousClock.now
}

/// Work that `settled()` waits for, unless it is asked from within that very work.
protocol CountedWork: AnyObject, Sendable {
  var scope: Scope { get }
  /// Whether it counts as busy in its scope. Guarded by the engine's turn lock.
  var isCounted: Bool { get }
}

/// The run or the update in which the current task executes.
enum CurrentWork {
  @TaskLocal static var work: (any CountedWork)?
}
