/// The number of tokens of a bucket, kept as the time at which the bucket will be full. Pure. Times count from the
/// creation of the bucket.
struct TokenLevel: Hashable {
  private let capacity: Int
  private let interval: Duration
  private var fullAt = Duration.zero

  /// A bucket that is full.
  init(capacity: Int, interval: Duration) {
    self.capacity = min(max(1, capacity), Int(Int32.max))
    self.interval = min(max(.zero, interval), TimerLimits.longestWait)
  }

  /// The time until there are `count` tokens; zero if there are now. More than the capacity counts as the capacity.
  func wait(for count: Int, at now: Duration) -> Duration {
    max(.zero, fullAt - now - interval * (capacity - clamped(count)))
  }

  /// Takes this number of tokens, once their wait is over.
  mutating func taken(_ count: Int, at now: Duration) {
    fullAt = max(fullAt, now) + interval * clamped(count)
  }

  /// The time from zero until the next token; `nil` if the bucket is full.
  var nextToken: Duration? {
    fullAt > .zero ? fullAt - interval * (fullAt.count(of: interval, rounded: .up) - 1) : nil
  }

  /// Moves the origin of times forward.
  mutating func elapse(_ time: Duration) { fullAt = max(.zero, fullAt - time) }

  private func clamped(_ count: Int) -> Int { min(max(0, count), capacity) }
}
