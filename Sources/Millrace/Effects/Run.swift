/// One execution of one request by one connection.
///
/// | field | guarded by |
/// |---|---|
/// | `isLive`, `phase`, `isCounted` | the engine's turn lock |
/// | `task`, `cancellers`, `leaver` | its mailbox lock |
/// | everything else | immutable |
final class Run: CountedWork, WorkMark, @unchecked Sendable {  // guarded as in the table
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
  let place: Place
  let cause: RunCause
  weak let engine: Engine?
  /// Whether what it sends is admitted: from its decision until it is stopped or has returned.
  var isLive = true
  var phase = Phase.decided
  /// The task that executes its body, while it does. Used only while its task is kept from ending.
  private var task: UnsafeCurrentTask?
  /// How many are about to cancel the task, which must not end meanwhile.
  private var cancellers = 0
  /// The task, where it waits for them.
  private var leaver: UnsafeContinuation<Void, Never>?
  var isCounted = false

  init(
    generation: UInt64, request: RequestKey, place: Place, cause: RunCause, engine: Engine
  ) {
    self.generation = generation
    self.request = request
    self.place = place
    self.cause = cause
    self.engine = engine
  }

  /// The last look before the body's first line, from the task that is to execute it: whether the run is still wanted.
  func enter() -> Bool {
    guard let engine else { return false }
    return withUnsafeCurrentTask { task in
      engine.locked { _ in
        guard isLive, phase == .decided, !scope.any(\.isEnded) else { return false }
        phase = .began
        engine.mail.withLock { _ in self.task = task }
        return true
      }
    }
  }

  /// Whether it is the run's own task that asks, which alone changes what tells it while the body goes on.
  var isCurrentTask: Bool { withUnsafeCurrentTask { $0 == task } }

  /// The counterpart, after the body's last line: when it returns, nobody cancels the task any more.
  func leave() async {
    guard let engine else { return }
    if !leaveAtOnce(engine) {
      await withUnsafeContinuation { continuation in
        let isWaiting = engine.mail.withLock { _ in
          if cancellers > 0 { leaver = continuation }
          return cancellers > 0
        }
        if !isWaiting { continuation.resume() }
      }
    }
  }

  /// The same where nobody is about to cancel it.
  ///
  /// - Returns: whether that is so.
  func leaveAtOnce(_ engine: Engine) -> Bool {
    engine.mail.withLock { _ in
      task = nil
      return cancellers == 0
    }
  }

  /// Cancels the task if the body has begun and not returned. Called with no lock held, since cancelling calls handlers
  /// of the user's. A run that is stopped earlier never begins.
  func cancel() {
    guard let engine else { return }
    let begun = engine.mail.withLock { _ in
      if task != nil { cancellers += 1 }
      return task
    }
    guard let begun else { return }
    begun.cancel()
    let leaver = engine.mail.withLock { _ in
      cancellers -= 1
      return cancellers == 0 ? self.leaver : nil
    }
    leaver?.resume()
  }

  var scope: Scope { place.scope }
  var work: (any CountedWork)? { self }

  var identity: RunIdentity {
    RunIdentity(connection: place.id, name: place.name, generation: generation, request: request.box.value)
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
  var instant = Moment.now
}
