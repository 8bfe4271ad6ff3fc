/// Decides when the next run of a polled request is due. Pure.
struct PollSchedule<Instant: InstantProtocol<Duration>> {
  private(set) var interval: Duration
  private let mode: PollMode
  private let backoff: Backoff?
  /// The jitter, which delays the beginning of each run; kept as a backoff that shortens the interval.
  private let jitter: Backoff?
  /// The time at which the last run was due, without jitter.
  private var tick: Instant
  /// The number of consecutive failed runs.
  private(set) var failures: Int
  /// The number of completed runs.
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

  /// A run has ended at `now`. Returns when the next one begins.
  ///
  /// - Parameters:
  ///   - next: the interval from now on; `nil` if it is unchanged.
  ///   - least: the wait that the failure demands.
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

  /// The delay of the next run by jitter.
  var lateness: Duration {
    guard var jitter else { return .zero }
    (jitter.first, jitter.factor, jitter.cap) = (interval, 1, interval)
    return interval - jitter.delay(before: ended + 1)
  }

  /// The time since the last multiple of the interval: zero at the tick itself, a whole interval at later multiples.
  func sinceTick(at now: Instant) -> Duration {
    tick.duration(to: now) - interval * max(0, intervals(until: now) - 1)
  }

  /// The number of intervals from the tick to an instant, rounded up. The quotient of two durations is a `Double`: it
  /// serves as an estimate that is not too high, which exact arithmetic then corrects.
  private func intervals(until instant: Instant) -> Int {
    let gap = tick.duration(to: instant)
    var count = Int(min(gap / interval, 1e15))
    while count < Int(1e15), interval * count < gap { count += 1 }
    return count
  }
}
