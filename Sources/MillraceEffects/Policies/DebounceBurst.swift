/// When a debounced request is to begin: a pure value.
///
/// A burst is a row of requests of which none comes `quiet` or more after the one before.
struct DebounceBurst<Instant: InstantProtocol<Duration>>: Hashable {
  private let quiet: Duration
  private let isLeading: Bool
  private let longest: Duration?
  /// When the last request of the burst came.
  private var last: Instant?
  /// When the first request came after which none has begun; `nil` if none waits.
  private var waitingSince: Instant?

  init(quiet: Duration, isLeading: Bool, longest: Duration?) {
    self.quiet = min(max(.zero, quiet), TimerLimits.longestWait)
    self.isLeading = isLeading
    self.longest = longest.map { min(max(.zero, $0), TimerLimits.longestWait) }
  }

  /// A request has come, and it is `now`. Returns when it is to begin, if no other comes.
  mutating func requestArrived(at now: Instant) -> Instant {
    let isFirst = last.map { $0.duration(to: now) >= quiet } ?? true
    last = now
    if isFirst { waitingSince = nil }
    if isFirst, isLeading { return now }
    let settled = now.advanced(by: quiet)
    guard let longest else { return settled }
    let since = waitingSince ?? now
    waitingSince = since
    return max(now, min(settled, since.advanced(by: longest)))
  }

  /// A request that has waited begins.
  mutating func requestBegan() { waitingSince = nil }

  // MARK: Comparing moments

  /// The time until a request would be the first of another burst; `nil` if one would be now.
  func rest(at now: Instant) -> Duration? {
    guard let last, last.duration(to: now) < quiet else { return nil }
    return quiet - last.duration(to: now)
  }

  /// Time passes, where the present is always the same.
  mutating func elapse(_ time: Duration) {
    last = last?.advanced(by: .zero - time)
    waitingSince = waitingSince?.advanced(by: .zero - time)
  }
}
