import Millrace

/// An effect whose failed runs are tried again. Made by `retried(times:by:clock:when:action:)`.
public struct RetriedEffect<Base: EffectComponent, C: Clock>: PolicyEffect, RepeatsRuns
where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let retries: @Sendable (Base.Request) -> Int
  let backoff: @Sendable (Base.Request) -> Backoff
  let clock: C
  let isRetried: @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Bool
  let retrying: @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Base.Action
  /// The number of retried runs, from which their jitter differs: runs that fail together are not retried together.
  private let retriedRuns = Lock<UInt64>(0)

  /// Runs the wrapped effect until it succeeds, or a failure is not to be retried.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send, on: clock) { _ in RetriedRule(policy: self, isExplored: false)
    }
  }

  /// The number of a retried run.
  func nextSalt() -> UInt64 {
    retriedRuns.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

extension EffectComponent {
  /// Returns this effect with failed runs tried again, at most `times` times after the first attempt.
  ///
  /// ```swift
  /// let downloads = HTTPEffect().mapped(AppAction.http).retried(
  ///   times: 4, by: Backoff(first: .seconds(1)), when: { retry, _ in retry.failure.isTransient },
  ///   action: { retry, request in .retrying(request, attempt: retry.attempt) })
  /// store.connect(downloads, to: \.downloads)
  /// ```
  ///
  /// Counts like `retry` of Combine, RxJS and Kotlin: `times: 4` makes at most five attempts.
  ///
  /// Before each further attempt the run sends `action` and waits for the delay of `backoff`, or longer if a
  /// ``RetryAfterProviding`` failure demands it. To give up if that is too long, or after one retry of some failure,
  /// return `false` from `isRetried`, which gets the coming attempt. Actions that an attempt sent before it failed stay
  /// in the state. The failure that ends the run, because it was the last attempt or because `isRetried` returned
  /// `false`, becomes an action as usual. To count attempts in the state itself, and let the reducer decide, use
  /// `backingOff(by:attempt:atLeast:clock:)`.
  ///
  /// A run that is stopped while it waits begins no further attempt. Attempts never overlap, and actions that an
  /// attempt sends after it has returned are fenced. A request that is handed over reaches the attempt in progress, or
  /// else the next one. Only failures are retried. So nothing is retried around `timingOut(after:clock:action:)`, which
  /// sends an action, but runs are retried around `timingOut(after:clock:failure:)`, which fails.
  ///
  /// Each run has its own jitter, so that requests that fail together are not retried together. With a seed in
  /// `backoff`, a test gets the same delays each time: the jitter depends on the seed and on the number of runs of this
  /// effect that were retried before.
  ///
  /// - Parameters:
  ///   - retries: the largest number of attempts after the first. Less than 0 counts as 0.
  ///   - backoff: the delay before each attempt.
  ///   - clock: the clock of the delays.
  ///   - isRetried: whether to make the coming attempt, given its failure and its delay. Called in the task of the run.
  ///   - action: makes the action that is sent before each further attempt. Called in the task of the run.
  public func retried<C: Clock>(
    times retries: Int, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRetried: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Bool = { _, _ in true },
    action: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action
  ) -> RetriedEffect<Self, C> where C.Duration == Duration {
    RetriedEffect(
      base: self, retries: { _ in retries }, backoff: { _ in backoff }, clock: clock, isRetried: isRetried,
      retrying: action)
  }

  /// Returns this effect with failed runs tried again, with a number and delays that depend on the request.
  ///
  /// Works like the method that takes a number:
  ///
  /// ```swift
  /// let downloads = HTTPEffect().mapped(AppAction.http).retried(
  ///   times: { request in request.method == "GET" ? 4 : 0 }, by: { _ in Backoff(first: .seconds(1)) },
  ///   action: { retry, request in .retrying(request, attempt: retry.attempt) })
  /// store.connect(downloads, to: \.downloads)
  /// ```
  ///
  /// - Parameters:
  ///   - retries: returns the largest number of attempts after the first. Pure, like `backoff`; both are called in the
  ///     task of the run, with the newest value of the request.
  ///   - backoff: the delay before each attempt.
  ///   - clock: the clock of the delays.
  ///   - isRetried: whether to make the coming attempt.
  ///   - action: makes the action that is sent before each further attempt.
  public func retried<C: Clock>(
    times retries: @escaping @Sendable (Request) -> Int,
    by backoff: @escaping @Sendable (Request) -> Backoff = { _ in Backoff() }, clock: C = ContinuousClock(),
    when isRetried: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Bool = { _, _ in true },
    action: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action
  ) -> RetriedEffect<Self, C> where C.Duration == Duration {
    RetriedEffect(
      base: self, retries: retries, backoff: backoff, clock: clock, isRetried: isRetried, retrying: action)
  }
}

extension EffectComponent where Failure == Never {
  /// Serves each request once, since an effect that cannot fail is never retried. The compiler warns of the call.
  ///
  /// Deprecated rather than unavailable: Swift would choose the general method over an unavailable one.
  @available(
    *, deprecated,
    message: "the effect cannot fail, so nothing is retried: let its 'run' throw a typed error"
  )
  public func retried<C: Clock>(
    times retries: Int, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRetried: (@Sendable (RetryAttempt<Failure>, Request) -> Bool)? = nil,
    action: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action
  ) -> RetriedEffect<Self, C> where C.Duration == Duration {
    RetriedEffect(
      base: self, retries: { _ in retries }, backoff: { _ in backoff }, clock: clock,
      isRetried: isRetried ?? always, retrying: action)
  }
}

private func always<First, Second>(_: First, _: Second) -> Bool { true }
