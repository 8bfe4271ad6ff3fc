/// How many restarts there have been of late: a pure value.
struct RestartIntensity<Instant: InstantProtocol<Duration>>: Hashable {
  private let most: Int
  private let window: Duration
  /// When the restarts were that may still count, oldest first.
  private var restarts: [Instant] = []

  init(most: Int, within window: Duration) {
    self.most = max(0, most)
    self.window = min(max(.zero, window), TimerLimits.longestWait)
  }

  /// A run has failed, and it is `now`. Returns the number of the restart among those of the window, from 1; `nil` if
  /// there is to be none.
  mutating func failed(at now: Instant) -> Int? {
    forget(at: now)
    guard restarts.count < most else { return nil }
    restarts.append(now)
    return restarts.count
  }

  // MARK: Comparing moments

  /// Time passes, where the present is always the same.
  mutating func elapse(_ time: Duration, at now: Instant) {
    restarts = restarts.map { $0.advanced(by: .zero - time) }
    forget(at: now)
  }

  private mutating func forget(at now: Instant) { restarts.removeAll { $0.duration(to: now) >= window } }
}
