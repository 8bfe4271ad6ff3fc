/// Counts the restarts within a time window. Pure.
struct RestartIntensity<Instant: InstantProtocol<Duration>>: Hashable {
  private let most: Int
  private let window: Duration
  /// The times of the restarts that may still count, oldest first.
  private var restarts: [Instant] = []

  init(most: Int, within window: Duration) {
    self.most = max(0, most)
    self.window = min(max(.zero, window), TimerLimits.longestWait)
  }

  /// A run has failed at `now`. Returns the number of its restart within the window, from 1; `nil` if it must not
  /// restart.
  mutating func failed(at now: Instant) -> Int? {
    forget(at: now)
    guard restarts.count < most else { return nil }
    restarts.append(now)
    return restarts.count
  }

  // MARK: Comparing moments

  /// Time passes; the present always counts as the same instant.
  mutating func elapse(_ time: Duration, at now: Instant) {
    restarts = restarts.map { $0.advanced(by: .zero - time) }
    forget(at: now)
  }

  private mutating func forget(at now: Instant) { restarts.removeAll { $0.duration(to: now) >= window } }
}
