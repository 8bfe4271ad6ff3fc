/// How many tokens a bucket has: a pure value, as the time at which it will be full. Times are counted from the
/// bucket's making.
struct TokenLevel: Hashable {
  private let capacity: Int
  private let interval: Duration
  private var fullAt = Duration.zero

  /// A bucket that is full.
  init(capacity: Int, interval: Duration) {
    self.capacity = min(max(1, capacity), Int(Int32.max))
    self.interval = min(max(.zero, interval), TimerLimits.longestWait)
  }

  /// How long it is until there are so many tokens; zero if there are. More than fit count as a full bucket.
  func wait(for count: Int, at now: Duration) -> Duration {
    max(.zero, fullAt - now - interval * (capacity - clamped(count)))
  }

  /// Takes this number of tokens, after their wait.
  mutating func taken(_ count: Int, at now: Duration) {
    fullAt = max(fullAt, now) + interval * clamped(count)
  }

  /// The time from zero until there is a token more; `nil` if it is full.
  var nextToken: Duration? {
    guard fullAt > .zero else { return nil }
    // The quotient of two durations is a `Double`: an estimate, which exact arithmetic then corrects.
    var whole = Int(fullAt / interval)
    while interval * whole >= fullAt { whole -= 1 }
    while interval * (whole + 1) < fullAt { whole += 1 }
    return fullAt - interval * whole
  }

  /// Counts times from a later one on.
  mutating func elapse(_ time: Duration) { fullAt = max(.zero, fullAt - time) }

  private func clamped(_ count: Int) -> Int { min(max(0, count), capacity) }
}
