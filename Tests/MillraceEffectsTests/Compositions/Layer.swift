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
  case polled(Duration, PollSpacing, Backoff?)
  case burst(Duration, isLeading: Bool, longest: Duration?)
  case rateLimited(Int, Duration)
  case rateRefused(Int, Duration)
  case guardedByRate(Double, window: Int, minimum: Int, Duration)
  case takingLeading

  static let kinds = 16

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
    default: .takingLeading
    }
  }

  /// The policy around `base`.
  func around(_ base: ErasedEffect, clock: TestClock) -> ErasedEffect {
    switch self {
    case .delayed(let time): ErasedEffect(base.delayed(by: time, clock: clock))
    case .debounced(let time): ErasedEffect(base.debounced(for: time, clock: clock))
    case .throttled(let time): ErasedEffect(base.throttled(for: time, clock: clock))
    case .throttledFirst(let time):
      ErasedEffect(base.throttled(for: time, clock: clock, latest: false, dropped: { .dropped($0) }))
    case .timeout(let time): ErasedEffect(base.timeout(time, clock: clock, action: { .timedOut($0) }))
    case .failingTimeout(let time):
      ErasedEffect(base.timeout(time, clock: clock, failure: { _ in RandomWork.Failed() }))
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
    case .polled(let interval, let spacing, let backoff):
      ErasedEffect(base.polled(every: interval, spacing: spacing, backingOff: backoff, clock: clock))
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
    case .takingLeading:
      ErasedEffect(base.takingLeading(per: { _ in 0 }))
    }
  }
}
