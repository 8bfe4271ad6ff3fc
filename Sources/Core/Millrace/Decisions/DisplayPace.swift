/// Decides when components and views are served although actions wait: after a number of turns or a time, whichever
/// comes first. Pure.
struct DisplayPace {
  private static let longestTurns = 1024
  private static let longestWait = Duration.milliseconds(8)

  private var turns = 0
  private var since: Moment?

  /// Turns were made by `now`.
  ///
  /// - Returns: whether displays are to be served now.
  mutating func turnsMade(_ count: Int, now: Moment) -> Bool {
    turns += count
    guard let since else {
      since = now
      return false
    }
    return turns >= Self.longestTurns || since.duration(to: now) >= Self.longestWait
  }
}
