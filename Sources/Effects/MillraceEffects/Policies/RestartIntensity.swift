/// Counts the restarts within a time window. Pure.
struct RestartIntensity: Hashable {
  private let most: Int
  private let window: Duration
  /// The times since the restarts that may still count, oldest first.
  private var ages: [Duration] = []

  init(most: Int, within window: Duration) {
    self.most = max(0, most)
    self.window = min(max(.zero, window), TimerLimits.longestWait)
  }

  /// A run has failed. Returns the number of its restart within the window, from 1; `nil` if it must not restart.
  mutating func failed() -> Int? {
    elapse(.zero)
    guard ages.count < most else { return nil }
    ages.append(.zero)
    return ages.count
  }

  /// Time passes.
  mutating func elapse(_ time: Duration) { ages = ages.map { $0 + time }.filter { $0 < window } }
}
