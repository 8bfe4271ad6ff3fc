/// Decides when the next run of a polled request is due. Pure.
struct PollSchedule: Hashable {
  /// The number of runs after which an explorer assumes constant jitter, so that the number of states is finite.
  static var distinctRuns: Int { 32 }

  private var interval: Duration
  private let mode: PollMode
  private let backoff: Backoff?
  /// The jitter, which delays the beginning of each run; kept as a backoff that shortens the interval.
  private let jitter: Backoff?
  private let isExplored: Bool
  /// The time since a run was last due, without jitter. Needed for a fixed rate.
  private var elapsed = Duration.zero
  /// The number of consecutive failed runs. An explorer stops counting where the backoff stops growing.
  private var failures = 0
  /// The number of completed runs; counted only with jitter, and by an explorer only up to `distinctRuns`.
  private var ended = 0

  init(
    _ interval: Duration, _ mode: PollMode, _ backoff: Backoff?, jitter: Backoff? = nil,
    isExplored: Bool = false
  ) {
    self.interval = Self.possible(interval)
    (self.mode, self.backoff, self.jitter, self.isExplored) = (mode, backoff, jitter, isExplored)
  }

  private static func possible(_ interval: Duration) -> Duration {
    min(max(interval, TimerLimits.shortestInterval), TimerLimits.longestWait)
  }

  /// Time passes while a run is in progress. Whole intervals are left out, since the runs due then are skipped.
  mutating func elapse(_ time: Duration) {
    guard mode == .fixedRate else { return }
    elapsed += time
    elapsed -= interval * max(0, elapsed.count(of: interval, rounded: .up) - 1)
  }

  /// A run has ended. Returns the wait before the next one.
  ///
  /// - Parameters:
  ///   - next: the interval from now on; `nil` if it is unchanged.
  ///   - least: the wait that the failure demands.
  mutating func runEnded(failed: Bool, next: Duration? = nil, atLeast least: Duration? = nil) -> Duration {
    if let next { interval = Self.possible(next) }
    failures = failed ? failures + 1 : 0
    if jitter != nil { ended = isExplored ? min(ended + 1, Self.distinctRuns) : ended + 1 }
    let demanded = backoff?.delay(before: failures + 1, atLeast: least) ?? max(.zero, least ?? .zero)
    let earliest = min(demanded, TimerLimits.longestWait)
    if isExplored { failures = backoff?.growing(upTo: failures) ?? 0 }
    guard mode == .fixedRate else { return max(interval + lateness, earliest) }
    let intervals = max(1, (elapsed + earliest).count(of: interval, rounded: .up))
    defer { elapsed = lateness }
    return interval * intervals + lateness - elapsed
  }

  /// The delay of the next run by jitter.
  private var lateness: Duration {
    guard var jitter else { return .zero }
    (jitter.first, jitter.factor, jitter.cap) = (interval, 1, interval)
    return interval - jitter.delay(before: ended + 1)
  }
}
