import Millrace

/// So many in a stretch of time, and bursts up to a bound: a token bucket.
///
/// It holds up to `capacity` tokens, and gets one more at each interval. Whoever begins takes one, or several, and waits
/// until they are there.
///
/// One bucket may be shared by several effects that share a quota:
///
/// ```swift
/// let quota = TokenBucket(capacity: 10, refilledEvery: .milliseconds(200))
/// store.connect(uploads.rateLimited(by: quota), to: \.uploads, action: AppAction.upload)
/// store.connect(downloads.rateLimited(by: quota), to: \.downloads, action: AppAction.http)
/// ```
///
/// It keeps no timer and fills while nobody looks. All members can be used from any thread.
public final class TokenBucket: Sendable {
  private let level: Lock<TokenLevel>
  /// Those who wait, in order of arrival; the one who has the turn waits for tokens.
  private let turn = ConcurrencyLimit(1)
  private let now: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async -> Bool

  /// Makes a bucket that is full.
  ///
  /// - Parameters:
  ///   - capacity: How many tokens there are at most, and so how many may begin at once after a quiet time. Less than 1
  ///     counts as 1, more than two thousand million as that.
  ///   - interval: How long it takes to get one more. Zero or less limits nothing.
  ///   - clock: What the interval is measured by.
  public init<C: Clock>(capacity: Int, refilledEvery interval: Duration, clock: C = ContinuousClock())
  where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { await clock.waits($0) }
    level = Lock(TokenLevel(capacity: capacity, interval: interval))
  }

  /// How many wait for tokens, without the one whose turn it is.
  public var waiting: Int { turn.waiting }

  /// Takes so many tokens as soon as they are there, in order of arrival: who comes later waits, even if there were
  /// enough for it. Less than 0 counts as 0, more than the capacity as that.
  ///
  /// - Returns: Whether they were taken: not if the task was cancelled before.
  public func take(_ count: Int = 1) async -> Bool {
    await turn.withSlot {
      while true {
        let now = now()
        let wait = level.withLock { level in
          let wait = level.wait(for: count, at: now)
          if wait == .zero { level.taken(count, at: now) }
          return wait
        }
        if wait == .zero { return true }
        guard await sleep(wait) else { return false }
      }
    } ?? false
  }

  /// Takes so many tokens if they are there. Does not look at those who wait.
  ///
  /// - Returns: `nil` if they were taken, or else how long it will be until there are as many.
  public func takeAtOnce(_ count: Int = 1) -> Duration? {
    let now = now()
    return level.withLock { level in
      let wait = level.wait(for: count, at: now)
      if wait > .zero { return wait }
      level.taken(count, at: now)
      return nil
    }
  }
}
