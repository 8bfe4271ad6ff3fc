/// When the processes of a group are asked to end and when they are killed. Pure.
///
/// The process that was started leads the group, or its guard does. When the process has ended, what is left of its group is ended too: a run
/// leaves nothing behind. While the status of the leader has not been fetched, the number of the group is given to nobody else, so
/// that a signal cannot meet a stranger.
struct SubprocessLife {
  enum Action: Equatable {
    /// Ask the whole group to end.
    case terminateGroup
    /// Tell `gracePassed` when the grace period is over.
    case startGrace
    /// Kill the whole group, and take from its pipes only what is there.
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

  /// Nobody wants it any more.
  mutating func cancelled() -> [Action] { end() }

  /// It wrote more than it may.
  mutating func outputLimitReached() -> [Action] { end() }

  /// The process itself has ended.
  mutating func exited() -> [Action] {
    hasExited = true
    return hasOutputEnded ? kill() : end()
  }

  /// Nobody can write into its pipes any more.
  mutating func outputEnded() -> [Action] {
    hasOutputEnded = true
    return hasExited ? kill() : []
  }

  /// The grace period of the group has ended.
  mutating func gracePassed() -> [Action] { kill() }

  private mutating func end() -> [Action] {
    guard phase == .running else { return [] }
    phase = .ending
    return [.terminateGroup, .startGrace]
  }

  private mutating func kill() -> [Action] {
    guard phase != .killed else { return [] }
    phase = .killed
    return [.killGroup]
  }
}
