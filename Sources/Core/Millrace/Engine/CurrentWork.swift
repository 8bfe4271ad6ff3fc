/// The run or the update inside which the current task executes: whatever inherits its task-local mark, while it lasts.
enum CurrentWork: Sendable {
  case run(Run)
  /// The update with this number of what is connected there.
  case update(Display, number: UInt64, Engine)

  @TaskLocal static var mark: CurrentWork?

  /// Calls `body` without the mark: what it makes is not inside the work.
  static func cleared<Result>(_ body: () -> Result) -> Result {
    if mark == nil { return body() }
    return $mark.withValue(nil) { body() }
  }

  /// Identifies a piece of work.
  enum Identity: Hashable {
    case run(ObjectIdentifier)
    case update(ObjectIdentifier, UInt64)
  }

  var identity: Identity {
    switch self {
    case .run(let run): .run(ObjectIdentifier(run))
    case .update(let display, let number, _): .update(ObjectIdentifier(display), number)
    }
  }

  var connected: Connected {
    switch self {
    case .run(let run): run.connected
    case .update(let display, _, _): display
    }
  }

  /// That of its store.
  var engine: Engine {
    switch self {
    case .run(let run): run.engine
    case .update(_, _, let engine): engine
    }
  }

  /// Whether it has not ended. The turn lock and the lock of the displays must be held.
  var isUnderWay: Bool {
    switch self {
    case .run(let run): run.isUnderWay
    case .update(let display, let number, _): display.updates == number && display.conflation.isBusy
    }
  }

  /// Whether `settled()` waits for it. The turn lock and the lock of the displays must be held.
  var isCounted: Bool {
    switch self {
    case .run(let run): run.isCounted
    case .update(let display, _, _): display.isCounted
    }
  }
}

/// Whether the run inside which the current task executes was answered: an action of its own has made its request leave the
/// state, which has stopped it. `false` outside of a run. Callable from anywhere.
package func isCurrentRunAnswered() -> Bool {
  guard case .run(let run) = CurrentWork.mark else { return false }
  return run.engine.withTurnLock { run.isAnswered }
}
