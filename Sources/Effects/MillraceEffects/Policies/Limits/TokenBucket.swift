import Millrace

/// A token bucket: limits the rate at which work begins, and allows bursts up to a bound.
///
/// It holds up to `capacity` tokens and gains one at each interval. Work that begins takes one or more tokens, and
/// waits until the bucket has them.
///
/// Several effects may share one bucket:
///
/// ```swift
/// let quota = TokenBucket(capacity: 10, refilledEvery: .milliseconds(200))
/// store.connect(uploads.rateLimited(by: quota), to: \.uploads, action: AppAction.upload)
/// store.connect(downloads.rateLimited(by: quota), to: \.downloads, action: AppAction.http)
/// ```
///
/// A bucket keeps no timer: it counts its tokens when it is used. All members can be used from any thread.
public final class TokenBucket: Sendable {
  private let level: Lock<TokenLevel>
  /// The tokens at the beginning.
  let full: TokenLevel
  /// The waiters, in order of arrival; the first waits for tokens.
  private let turn: ConcurrencyLimit
  private let now: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async -> Bool

  /// Makes a full bucket.
  ///
  /// - Parameters:
  ///   - capacity: the largest number of tokens, and so the largest burst after a quiet time. Less than 1 counts as 1,
  ///     more than `Int32.max` counts as `Int32.max`.
  ///   - interval: the time in which the bucket gains one token. Zero or less limits nothing.
  ///   - clock: the clock of the interval.
  public convenience init<C: Clock>(
    capacity: Int, refilledEvery interval: Duration, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.init(TokenLevel(capacity: capacity, interval: interval), clock)
  }

  /// - Parameter reason: the reason that is shown for waiting runs; by default a token.
  init<C: Clock>(_ full: TokenLevel, _ clock: C, waitsFor reason: String? = nil)
  where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { wait in await clock.waits(wait, for: reason ?? "a token in \(wait.text)") }
    turn = ConcurrencyLimit(1, waitsFor: reason.map { "its turn in \($0)" } ?? "its turn for a token")
    self.full = full
    level = Lock(full)
  }

  /// The number of tasks that wait behind the one whose turn is next.
  public var waiting: Int { turn.waiting }

  /// Takes `count` tokens as soon as the bucket has them. Tasks are served in order of arrival: a later one waits even
  /// if the bucket has enough tokens for it. Less than 0 counts as 0, more than the capacity as the capacity.
  ///
  /// - Returns: whether the tokens were taken; `false` if the task was cancelled before.
  public func take(_ count: Int = 1) async -> Bool {
    await turn.withSlot {
      while let wait = tryTake(count) {
        guard await sleep(wait) else { return false }
      }
      return true
    } ?? false
  }

  /// Takes `count` tokens if the bucket has them, regardless of waiting tasks.
  ///
  /// - Returns: `nil` if the tokens were taken; otherwise the time until the bucket has that many.
  public func tryTake(_ count: Int = 1) -> Duration? {
    let now = now()
    return level.withLock { level in
      let wait = level.wait(for: count, at: now)
      if wait > .zero { return wait }
      level.taken(count, at: now)
      return nil
    }
  }
}
