import Millrace

/// Decides when a debounced request begins. Pure; the present always counts as zero.
///
/// A burst is a series of requests in which each arrives within the quiet time of the one before.
struct DebounceBurst: Hashable {
  let isLeading: Bool
  let longest: Duration?
  /// The time after which the last request of the burst will have stayed the same for its quiet time. Zero if a new
  /// request would begin another burst.
  private(set) var rest = Duration.zero
  /// The time since the oldest waiting request arrived; `nil` if none waits.
  private var waited: Duration?

  init(isLeading: Bool, longest: Duration?) {
    self.isLeading = isLeading
    self.longest = longest.map { min(max(.zero, $0), TimerLimits.longestWait) }
  }

  /// Time passes.
  mutating func elapse(_ time: Duration) {
    rest = max(.zero, rest - time)
    waited = waited.map { $0 + time }
  }

  /// A request arrives. Returns the time until it begins, if no other arrives before.
  ///
  /// - Parameter quiet: the time for which it must stay the same.
  mutating func requestArrived(quiet: Duration) -> Duration {
    let isFirst = rest == .zero
    rest = min(max(.zero, quiet), TimerLimits.longestWait)
    if isFirst { waited = nil }
    if isFirst, isLeading { return .zero }
    guard let longest else { return rest }
    let waited = waited ?? .zero
    self.waited = waited
    return max(.zero, min(rest, longest - waited))
  }

  /// A waiting request begins.
  mutating func requestBegan() { waited = nil }
}

/// A burst whose time is that of a clock.
final class SharedBurst<C: Clock>: Sendable where C.Duration == Duration {
  /// The burst as it was at an instant.
  private let state: Lock<(burst: DebounceBurst, instant: C.Instant)>

  init(_ burst: DebounceBurst, on clock: C) { state = Lock((burst, clock.now)) }

  /// A request arrives at `now`. Returns the time until it begins.
  func requestArrived(at now: C.Instant, quiet: Duration) -> Duration {
    state.withLock { state in
      state.burst.elapse(state.instant.duration(to: now))
      state.instant = now
      return state.burst.requestArrived(quiet: quiet)
    }
  }

  func requestBegan() { state.withLock { $0.burst.requestBegan() } }
}
