/// Decides when a debounced request begins. Pure.
///
/// A burst is a series of requests in which each arrives within the quiet time of the one before.
struct DebounceBurst<Instant: InstantProtocol<Duration>>: Hashable {
  private let isLeading: Bool
  private let longest: Duration?
  /// The time at which the last request of the burst will have stayed the same for its quiet time.
  private var settled: Instant?
  /// The arrival of the oldest waiting request; `nil` if none waits.
  private var waitingSince: Instant?

  init(isLeading: Bool, longest: Duration?) {
    self.isLeading = isLeading
    self.longest = longest.map { min(max(.zero, $0), TimerLimits.longestWait) }
  }

  /// A request arrives at `now`. Returns when it begins, if no other arrives before.
  ///
  /// - Parameter quiet: the time for which it must stay the same.
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

  /// A waiting request begins.
  mutating func requestBegan() { waitingSince = nil }

  // MARK: Comparing moments

  /// The time until a new request would begin another burst; `nil` if it would now.
  func rest(at now: Instant) -> Duration? {
    guard let settled, now < settled else { return nil }
    return now.duration(to: settled)
  }

  /// Time passes; the present always counts as the same instant.
  mutating func elapse(_ time: Duration) {
    settled = settled?.advanced(by: .zero - time)
    waitingSince = waitingSince?.advanced(by: .zero - time)
  }
}
