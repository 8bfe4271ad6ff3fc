import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport

/// A policy in a composition.
enum Layer: Sendable {
  case delayed(Duration)
  case debounced(Duration)
  case throttled(Duration)
  case throttledFirst(Duration)
  case timeout(Duration)
  case failingTimeout(Duration)
  case limited(Int, SlotOrder)
  case retried(Int, Backoff)
  case guarded(Int, Duration)
  case failingGuarded(Int, Duration)
  case polled(Duration, PollMode, Backoff?)
  case burst(Duration, isLeading: Bool, longest: Duration?)
  case rateLimited(Int, Duration)
  case rateRefused(Int, Duration)
  case guardedByRate(Double, window: Int, minimum: Int, Duration)
  case ignoringWhileRunning
  /// Of requests with even numbers, and of others.
  case debouncedByRequest(Duration, Duration)
  case burstByRequest(Duration, Duration, isLeading: Bool, longest: Duration?)
  case guardedByTime(Double, within: Duration, minimum: Int, Duration, slowAfter: Duration, trials: Int)
  /// By whether a request's number is even.
  case guardedPerKey(Int, Duration)
  case polledWithJitter(Duration, PollMode, Double, seed: UInt64)
  case fallback
  case hedged(Duration, Int)

  static let kinds = 23

  /// Some policies, the outermost first. Attempts of a hedged run overlap, which the models have for the effect within
  /// alone: such a policy is the innermost.
  static func some(_ count: ClosedRange<Int>, using random: inout SeededGenerator) -> [Layer] {
    let layers = (0..<Int.random(in: count, using: &random)).map { _ in Layer.random(using: &random) }
    return layers.filter { !$0.isHedged } + layers.filter(\.isHedged).prefix(1)
  }

  var isHedged: Bool { if case .hedged = self { true } else { false } }

  static func random(using random: inout SeededGenerator) -> Layer {
    let time = Duration.microseconds(Int.random(in: 1...4_000_000, using: &random))
    let count = Int.random(in: 1...3, using: &random)
    let coin = Bool.random(using: &random)
    let backoff = Backoff(
      first: .microseconds(Int.random(in: 1...2_000_000, using: &random)), factor: 1.5, cap: .seconds(5),
      jitter: 0)
    return switch Int.random(in: 0..<kinds, using: &random) {
    case 0: .delayed(time)
    case 1: .debounced(time)
    case 2: .throttled(time)
    case 3: .throttledFirst(time)
    case 4: .timeout(time)
    case 5: .failingTimeout(time)
    case 6: .limited(count, coin ? .firstInFirstOut : .lastInFirstOut)
    case 7: .retried(count, backoff)
    case 8: .guarded(count, time * 2)
    case 9: .failingGuarded(count, time * 2)
    case 10: .polled(.milliseconds(100) + time, coin ? .fixedRate : .fixedDelay, count == 1 ? backoff : nil)
    case 11: .burst(time, isLeading: coin || count == 1, longest: count == 1 ? nil : time * count / 2)
    case 12: .rateLimited(count, time)
    case 13: .rateRefused(count, time)
    case 14: .guardedByRate(coin ? 0.5 : 0.3, window: count + 2, minimum: count, time * 2)
    case 15: .debouncedByRequest(time, .milliseconds(700))
    case 16:
      .guardedByTime(
        coin ? 0.5 : 0.3, within: time * 3, minimum: count, time * 2, slowAfter: .milliseconds(2_000),
        trials: count)
    case 17: .guardedPerKey(count, time * 2)
    case 18:
      .polledWithJitter(
        .milliseconds(100) + time, coin ? .fixedRate : .fixedDelay, Double(count) / 3, seed: UInt64(count))
    case 19: .fallback
    case 20: .hedged(time / 3, count)
    case 21:
      .burstByRequest(
        time, .milliseconds(700), isLeading: coin || count == 1, longest: count == 1 ? nil : time * count / 2)
    default: .ignoringWhileRunning
    }
  }

  /// The policy around `base`.
  ///
  /// - Parameter other: what serves requests that `base` fails to serve.
  func around(_ base: ErasedEffect, clock: TestClock, other: ErasedEffect) -> ErasedEffect {
    switch self {
    case .delayed(let time): ErasedEffect(base.delayed(by: time, clock: clock))
    case .debounced(let time): ErasedEffect(base.debounced(for: time, clock: clock))
    case .throttled(let time): ErasedEffect(base.throttled(for: time, clock: clock))
    case .throttledFirst(let time):
      ErasedEffect(base.throttled(for: time, clock: clock, latest: false, dropped: { .dropped($0) }))
    case .timeout(let time):
      ErasedEffect(base.timingOut(after: time, clock: clock, action: { .timedOut($0) }))
    case .failingTimeout(let time):
      ErasedEffect(base.timingOut(after: time, clock: clock, failure: { _ in RandomWork.Failed() }))
    case .limited(let count, let order): ErasedEffect(base.limited(to: count, order: order))
    case .retried(let retries, let backoff):
      ErasedEffect(
        base.retried(times: retries, by: backoff, clock: clock) { .retrying($1, attempt: $0.attempt) })
    case .guarded(let threshold, let time):
      ErasedEffect(
        base.guarded(by: CircuitBreaker(failureThreshold: threshold, resetTimeout: time, clock: clock)) {
          .refused($1)
        })
    case .failingGuarded(let threshold, let time):
      ErasedEffect(
        base.guarded(
          by: CircuitBreaker(failureThreshold: threshold, resetTimeout: time, clock: clock),
          failure: { _, _ in RandomWork.Failed() }))
    case .polled(let interval, let mode, let backoff):
      ErasedEffect(base.polled(every: interval, mode: mode, backingOff: backoff, clock: clock))
    case .burst(let quiet, let isLeading, let longest):
      ErasedEffect(base.debounced(for: quiet, leading: isLeading, atMost: longest, clock: clock))
    case .rateLimited(let capacity, let interval):
      ErasedEffect(
        base.rateLimited(by: TokenBucket(capacity: capacity, refilledEvery: interval, clock: clock)))
    case .rateRefused(let capacity, let interval):
      ErasedEffect(
        base.rateLimited(by: TokenBucket(capacity: capacity, refilledEvery: interval, clock: clock)) {
          .refused($1)
        })
    case .guardedByRate(let rate, let window, let minimum, let time):
      ErasedEffect(
        base.guarded(
          by: CircuitBreaker(
            failureRate: rate, ofLast: window, minimum: minimum, resetTimeout: time, clock: clock)
        ) { .refused($1) })
    case .debouncedByRequest(let even, let odd):
      ErasedEffect(base.debounced(for: { $0.isMultiple(of: 2) ? even : odd }, clock: clock))
    case .burstByRequest(let even, let odd, let isLeading, let longest):
      ErasedEffect(
        base.debounced(
          for: { $0.isMultiple(of: 2) ? even : odd }, leading: isLeading, atMost: longest, clock: clock))
    case .guardedByTime(let rate, let span, let minimum, let time, let slowAfter, let trials):
      ErasedEffect(
        base.guarded(
          by: CircuitBreaker(
            failureRate: rate, within: span, minimum: minimum, resetTimeout: time, slowAfter: slowAfter,
            trials: trials, clock: clock)
        ) { .refused($1) })
    case .guardedPerKey(let threshold, let time):
      ErasedEffect(
        base.guarded(
          by: CircuitBreakers { (_: Bool) in
            CircuitBreaker(failureThreshold: threshold, resetTimeout: time, clock: clock)
          }, per: { $0.isMultiple(of: 2) }, action: { .refused($1) }))
    case .polledWithJitter(let interval, let mode, let jitter, let seed):
      ErasedEffect(base.polled(every: interval, mode: mode, jitter: jitter, seed: seed, clock: clock))
    case .fallback: ErasedEffect(base.fallingBack(to: other))
    case .hedged(let delay, let hedges): ErasedEffect(base.hedged(after: delay, atMost: hedges, clock: clock))
    case .ignoringWhileRunning:
      ErasedEffect(base.ignoringWhileRunning(per: { _ in 0 }))
    }
  }
}
