/// When the next run of a polled request is due: a pure value.
struct PollSchedule<Instant: InstantProtocol<Duration>> {
  private(set) var interval: Duration
  private let mode: PollMode
  private let backoff: Backoff?
  /// Shortens the interval by what each run begins later.
  private let jitter: Backoff?
  /// When the last run was due, without its jitter.
  private var tick: Instant
  /// How many runs in a row have failed.
  private(set) var failures: Int
  /// How many runs have ended.
  private var ended: Int

  init(
    _ interval: Duration, _ mode: PollMode, _ backoff: Backoff?, jitter: Backoff? = nil, start: Instant,
    failures: Int = 0, ended: Int = 0
  ) {
    self.failures = failures
    self.ended = ended
    self.interval = Self.possible(interval)
    self.jitter = jitter
    self.mode = mode
    self.backoff = backoff
    tick = start
  }

  private static func possible(_ interval: Duration) -> Duration {
    min(max(interval, TimerLimits.shortestInterval), TimerLimits.longestWait)
  }

  /// A run has ended, and it is `now`. Returns when the next one is to begin.
  ///
  /// - Parameters:
  ///   - next: the interval from now on; `nil` if it stays.
  ///   - least: How long the failure says to wait.
  mutating func runEnded(
    failed: Bool, next: Duration? = nil, atLeast least: Duration? = nil, at now: Instant
  ) -> Instant {
    tick = now.advanced(by: .zero - sinceTick(at: now))
    if let next { interval = Self.possible(next) }
    failures = failed ? failures + 1 : 0
    ended += 1
    let late = lateness
    let wait = backoff?.delay(before: failures + 1, atLeast: least) ?? max(.zero, least ?? .zero)
    let earliest = now.advanced(by: min(wait, TimerLimits.longestWait))
    switch mode {
    case .fixedDelay:
      return max(now.advanced(by: interval + late), earliest)
    case .fixedRate:
      tick = tick.advanced(by: interval * max(1, intervals(until: earliest)))
      return tick.advanced(by: late)
    }
  }

  /// How much later than without jitter the next run begins.
  var lateness: Duration {
    guard var jitter else { return .zero }
    (jitter.first, jitter.factor, jitter.cap) = (interval, 1, interval)
    return interval - jitter.delay(before: ended + 1)
  }

  /// The time since the last multiple of the interval: zero at the tick alone, and a whole interval at the others.
  func sinceTick(at now: Instant) -> Duration {
    tick.duration(to: now) - interval * max(0, intervals(until: now) - 1)
  }

  /// How many intervals from the tick it takes to reach an instant. The quotient of two durations is a `Double`: it
  /// serves as an estimate that is not too high, which exact arithmetic then corrects.
  private func intervals(until instant: Instant) -> Int {
    let gap = tick.duration(to: instant)
    var count = Int(min(gap / interval, 1e15))
    while count < Int(1e15), interval * count < gap { count += 1 }
    return count
  }
}
