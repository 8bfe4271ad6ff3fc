import Millrace

/// An effect whose failed runs are tried again. Made by `retried(times:by:clock:when:action:)`.
public struct RetriedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The effect within.
  public let base: Base
  private let retries: Int
  private let backoff: Backoff
  private let clock: C
  private let isRetried: @Sendable (Base.Failure, Base.Request) -> Bool
  private let retrying: @Sendable (Retry<Base.Failure>, Base.Request) -> Base.Action
  /// How many runs have been retried, so that those which fail together are not retried together.
  private let retriedRuns = Lock<UInt64>(0)

  init(
    _ base: Base, _ retries: Int, _ backoff: Backoff, _ clock: C,
    _ isRetried: @escaping @Sendable (Base.Failure, Base.Request) -> Bool,
    _ retrying: @escaping @Sendable (Retry<Base.Failure>, Base.Request) -> Base.Action
  ) {
    self.base = base
    self.retries = retries
    self.backoff = backoff
    self.clock = clock
    self.isRetried = isRetried
    self.retrying = retrying
  }

  /// Runs the effect within until it does not fail, or not in a way that is to be retried.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send) { base throws(Base.Failure) in
      var backoff = backoff
      for attempt in 1... {
        do throws(Base.Failure) {
          return try await base.run()
        } catch {
          let request = base.request
          guard attempt <= retries, !Task.isCancelled, isRetried(error, request) else { throw error }
          if attempt == 1 { backoff = backoff.salted(by: nextSalt()) }
          let least = (error as? any RetryDelaying)?.retryDelay
          let delay = backoff.delay(before: attempt + 1, atLeast: least)
          let retry = Retry(attempt: attempt + 1, failure: error, delay: delay)
          guard await send(retrying(retry, request)) == .reduced else { throw error }
          guard await clock.waits(retry.delay) else { throw error }
        }
      }
    }
  }

  private func nextSalt() -> UInt64 {
    retriedRuns.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

extension EffectComponent {
  /// This effect with a run that fails tried again, up to so many times after the first attempt.
  ///
  /// ```swift
  /// let downloads = HTTPEffect().mapped(AppAction.http).retried(
  ///   times: 4, by: Backoff(first: .seconds(1)), when: { failure, _ in failure.isTransient },
  ///   action: { retry, request in .retrying(request, attempt: retry.attempt) })
  /// store.connect(downloads, to: \.downloads)
  /// ```
  ///
  /// Counts as `retry` of Combine, RxJS and Kotlin does: `times: 4` makes five attempts at most.
  ///
  /// Before each further attempt the state is told by `action`, and the run waits for as long as `backoff` says. A
  /// failure that is ``RetryDelaying`` and says how long to wait makes the wait at least as long; to give up where that
  /// is too long, let `isRetried` return false. What an attempt sent before it failed stays. The failure that ends the
  /// run, because it was the last attempt or `isRetried` returns false, becomes the action that the effect makes of it.
  /// Where attempts are to be counted in the state itself, and the reducer is to decide, use
  /// `backingOff(by:attempt:atLeast:clock:)`.
  ///
  /// A run that is stopped while it waits begins no further attempt. Attempts never overlap, and what one sends after
  /// it has returned is fenced. A request that is handed over reaches the attempt that goes on, or else the next.
  /// Only failures are retried: around `timeout(_:clock:action:)`, which sends an action, nothing is, but around
  /// `timeout(_:clock:failure:)` is.
  ///
  /// Requests that fail together are not retried together: each run has its own jitter. With a seed in `backoff` it is
  /// computed from the seed and from how many runs of this effect have been retried before, so that a test has the same
  /// delays each time.
  ///
  /// - Parameters:
  ///   - retries: How many attempts there are at most after the first. Less than 0 counts as 0.
  ///   - backoff: How long to wait before each attempt.
  ///   - clock: What the waits are measured by.
  ///   - isRetried: Whether a failure is worth another attempt. Called in the task of the run.
  ///   - action: What the state is told before each further attempt. Called in the task of the run.
  public func retried<C: Clock>(
    times retries: Int, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRetried: @escaping @Sendable (Failure, Request) -> Bool = { _, _ in true },
    action: @escaping @Sendable (Retry<Failure>, Request) -> Action
  ) -> RetriedEffect<Self, C> where C.Duration == Duration {
    RetriedEffect(self, retries, backoff, clock, isRetried, action)
  }
}
