/// Decides when the processes of a group are asked to end and when they are killed. Pure.
///
/// The started process leads the group, or its guard does. When the process has ended, the rest of its group is ended
/// too: a run leaves nothing behind. Until the leader's status has been fetched, the system does not reuse the group's
/// number, so a signal cannot reach an unrelated process.
struct SubprocessLife {
  enum Action: Equatable {
    /// Asks the whole group to end, and starts the grace period, whose end is reported by `gracePassed`.
    case terminateGroup
    /// Kills the whole group, and then reads only what is left in its pipes.
    case killGroup
  }

  private enum Phase {
    case running
    case ending
    case killed
  }

  private var phase = Phase.running
  private var hasExited = false
  private var hasOutputEnded = false

  /// The process is no longer wanted.
  mutating func cancelled() -> Action? { end() }

  /// The process has exceeded its output limit.
  mutating func outputLimitReached() -> Action? { end() }

  /// The process itself has ended.
  mutating func exited() -> Action? {
    hasExited = true
    return hasOutputEnded ? kill() : end()
  }

  /// No process can write into the pipes any more.
  mutating func outputEnded() -> Action? {
    hasOutputEnded = true
    return hasExited ? kill() : nil
  }

  /// The grace period of the group has ended.
  mutating func gracePassed() -> Action? { kill() }

  private mutating func end() -> Action? {
    guard phase == .running else { return nil }
    phase = .ending
    return .terminateGroup
  }

  private mutating func kill() -> Action? {
    guard phase != .killed else { return nil }
    phase = .killed
    return .killGroup
  }
}
