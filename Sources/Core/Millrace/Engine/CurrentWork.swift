/// The run or the update that contains the current task. Tasks that inherit the task-local mark are contained too,
/// while the work lasts.
enum CurrentWork: Sendable {
  case run(Run)
  /// An update of a display, by its number.
  case update(Display, number: UInt64, Engine)

  @TaskLocal static var mark: CurrentWork?

  /// Calls `body` without the mark, so that tasks made by it are not inside the work.
  static func cleared<Result>(_ body: () -> Result) -> Result {
    if mark == nil { return body() }
    return $mark.withValue(nil) { body() }
  }

  /// Identifies a piece of work among those under way in its store.
  enum Key: Hashable {
    case run(UInt64)
    case update(of: UInt64)
  }

  var key: Key {
    switch self {
    case .run(let run): .run(run.generation)
    case .update(let display, _, _): .update(of: display.id)
    }
  }

  var connected: Connected {
    switch self {
    case .run(let run): run.connected
    case .update(let display, _, _): display
    }
  }

  var engine: Engine {
    switch self {
    case .run(let run): run.engine
    case .update(_, _, let engine): engine
    }
  }

  /// Whether the work has not ended. The turn lock and the lock of the displays must be held.
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

/// Whether the run that contains the current task was answered: one of its own actions has removed its request from the
/// state, which has stopped it. `false` outside of a run. Callable from anywhere.
package func isCurrentRunAnswered() -> Bool {
  guard case .run(let run) = CurrentWork.mark else { return false }
  return run.engine.withTurnLock { run.isAnswered }
}
