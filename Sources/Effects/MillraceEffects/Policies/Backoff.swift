/// The delays between attempts, as a pure value.
///
/// ```swift
/// let backoff = Backoff(first: .milliseconds(200), cap: .seconds(10), jitter: 0)
/// let delays = (1...3).map { backoff.delay(before: $0) }  // zero, 200 ms, 400 ms
/// ```
///
/// Delays grow by `factor` from attempt to attempt, up to `cap`. Jitter shortens each delay by a share of up to
/// `jitter`, so that many clients that failed together do not all retry together. Without a `seed`, that share differs
/// from process to process. Within one process, equal backoffs give equal delays, so a backoff may be used in
/// `requests(in:)`. With a seed, the delays are the same in every process: use that in tests.
public struct Backoff: Hashable, Sendable {
  /// The delay before the second attempt.
  public var first: Duration
  /// The factor by which each delay is longer than the one before; less than 1 counts as 1.
  public var factor: Double
  /// The longest delay.
  public var cap: Duration
  /// The largest share of a delay that jitter may take away, from 0 to 1.
  public var jitter: Double
  /// The seed of the jitter; if `nil`, a number that this process chose at random.
  public var seed: UInt64?

  /// Makes a backoff. Negative durations count as zero, shares below 0 as 0 and above 1 as 1.
  public init(
    first: Duration = .milliseconds(200), factor: Double = 2, cap: Duration = .seconds(30),
    jitter: Double = 0.5, seed: UInt64? = nil
  ) {
    self.first = first
    self.factor = factor
    self.cap = cap
    self.jitter = jitter
    self.seed = seed
  }

  /// Returns the delay before an attempt. Attempts are counted from 1; the delay before the first is zero. O(1)
  public func delay(before attempt: Int) -> Duration {
    delay(before: attempt, random: Self.share(seed: seed ?? Self.processSeed, attempt: attempt))
  }

  /// Returns the delay before an attempt at `work`. Without a seed, each value of `work` has its own jitter, so that
  /// pieces of work that fail together in one process do not retry together. O(1), and a hash of `work`.
  public func delay(before attempt: Int, of work: some Hashable) -> Duration {
    spread(over: work).delay(before: attempt)
  }

  /// Returns the delay before an attempt. `random`, from 0 to 1, decides how much of the jitter is taken.
  public func delay(before attempt: Int, random: Double) -> Duration {
    let whole = wholeDelay(before: attempt)
    let share = Self.clamped(jitter) * Self.clamped(random)
    return share == 0 ? whole : whole * (1 - share)
  }

  /// Returns the delay before an attempt if a server demands at least `least`, such as by `Retry-After`.
  ///
  /// The result is the longer of both. If that is `least`, jitter is added instead of taken away: clients that were
  /// told the same time must not all return at once.
  public func delay(before attempt: Int, atLeast least: Duration?) -> Duration {
    let delay = delay(before: attempt)
    guard let least, least > .zero else { return delay }
    return max(delay, min(least, TimerLimits.longestWait) + (wholeDelay(before: attempt) - delay))
  }

  /// This backoff with jitter that differs for each `work`, unless it has a seed.
  package func spread(over work: some Hashable) -> Backoff {
    seed == nil ? salted(by: UInt64(bitPattern: Int64(work.hashValue))) : self
  }

  /// This backoff with jitter that differs for each `salt`.
  func salted(by salt: UInt64) -> Backoff {
    var salted = self
    // The factor is odd, so that different salts stay different.
    salted.seed = (seed ?? Self.processSeed) &+ salt &* 0xD1B5_4A32_D192_ED03
    return salted
  }

  /// Returns the backoff that an explorer assumes: this one if it has a seed, otherwise this one without jitter.
  ///
  /// - Parameter salt: the number of the run, which changes its jitter.
  func explored(by salt: UInt64? = nil) -> Backoff {
    var explored = salt.map(salted) ?? self
    if seed == nil { explored.jitter = 0 }
    return explored
  }

  /// Returns the smallest number of consecutive failures with the same delay as `failures`, without jitter.
  func growing(upTo failures: Int) -> Int {
    var count = failures
    while count > 1, wholeDelay(before: count + 1) == wholeDelay(before: count) { count -= 1 }
    return count
  }

  private static let processSeed = UInt64.random(in: .min ... .max)

  private func wholeDelay(before attempt: Int) -> Duration {
    guard attempt > 1, first > .zero, cap > .zero else { return .zero }
    let ceiling = cap / first
    let growth = Self.power(factor >= 1 ? factor : 1, attempt - 2, atMost: ceiling)
    return growth < ceiling ? first * growth : cap
  }

  private static func clamped(_ share: Double) -> Double { share > 0 ? min(share, 1) : 0 }

  /// `base` to the power of `exponent`, by squaring; stops above `ceiling`.
  private static func power(_ base: Double, _ exponent: Int, atMost ceiling: Double) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0, result < ceiling {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return min(result, ceiling)
  }

  /// A pseudorandom share from 0 up to 1: the finalizer of SplitMix64.
  private static func share(seed: UInt64, attempt: Int) -> Double {
    var bits = seed &+ UInt64(bitPattern: Int64(attempt)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) / Double(1 << 53)
  }
}
