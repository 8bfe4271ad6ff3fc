/// When a debounced request is to begin: a pure value.
///
/// A burst is a row of requests, each of which comes before the one before has stayed the same for its quiet time.
struct DebounceBurst<Instant: InstantProtocol<Duration>>: Hashable {
  private let isLeading: Bool
  private let longest: Duration?
  /// When the last request of the burst will have stayed the same for its quiet time.
  private var settled: Instant?
  /// When the first request came after which none has begun; `nil` if none waits.
  private var waitingSince: Instant?

  init(isLeading: Bool, longest: Duration?) {
    self.isLeading = isLeading
    self.longest = longest.map { min(max(.zero, $0), TimerLimits.longestWait) }
  }

  /// A request has come, and it is `now`. Returns when it is to begin, if no other comes.
  ///
  /// - Parameter quiet: how long it must stay the same.
  mutating func requestArrived(at now: Instant, quiet: Duration) -> Instant {
    let isFirst = settled.map { $0 <= now } ?? true
    let settled = now.advanced(by: min(max(.zero, quiet), TimerLimits.longestWait))
    self.settled = settled
    if isFirst { waitingSince = nil }
    if isFirst, isLeading { return now }
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
    guard let settled, now < settled else { return nil }
    return now.duration(to: settled)
  }

  /// Time passes, where the present is always the same.
  mutating func elapse(_ time: Duration) {
    settled = settled?.advanced(by: .zero - time)
    waitingSince = waitingSince?.advanced(by: .zero - time)
  }
}
