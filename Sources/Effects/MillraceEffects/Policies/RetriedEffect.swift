import Millrace

/// An effect whose failed runs are tried again. Made by `retried(times:by:clock:when:action:)`.
public struct RetriedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let retries: @Sendable (Base.Request) -> Int
  let backoff: @Sendable (Base.Request) -> Backoff
  private let clock: C
  let isRetried: @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Bool
  let retrying: @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Base.Action
  /// How many runs have been retried, so that those which fail together are not retried together.
  private let retriedRuns = Lock<UInt64>(0)

  init(
    _ base: Base, _ retries: @escaping @Sendable (Base.Request) -> Int,
    _ backoff: @escaping @Sendable (Base.Request) -> Backoff, _ clock: C,
    _ isRetried: @escaping @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Bool,
    _ retrying: @escaping @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Base.Action
  ) {
    self.base = base
    self.retries = retries
    self.backoff = backoff
    self.clock = clock
    self.isRetried = isRetried
    self.retrying = retrying
  }

  /// Runs the wrapped effect until it succeeds or fails in a way that is not to be retried.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send, on: clock) { _ in
      RetriedRule(self) { [self] in nextSalt() }
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
  /// Returns this effect with failed runs tried again, at most `times` times after the first attempt.
  ///
  /// ```swift
  /// let downloads = HTTPEffect().mapped(AppAction.http).retried(
  ///   times: 4, by: Backoff(first: .seconds(1)), when: { retry, _ in retry.failure.isTransient },
  ///   action: { retry, request in .retrying(request, attempt: retry.attempt) })
  /// store.connect(downloads, to: \.downloads)
  /// ```
  ///
  /// Counts as `retry` of Combine, RxJS and Kotlin does: `times: 4` makes at most five attempts.
  ///
  /// Before each further attempt the run sends `action` and waits as long as `backoff` says, and at least as long as
  /// a ``RetryAfterProviding`` failure demands. To give up if that is too long, or for a failure that is worth one retry
  /// and no more, return `false` from `isRetried`, which gets the coming attempt. What an
  /// attempt sent before it failed stays in the state. The failure that ends the run, because it was the last attempt
  /// or because `isRetried` returned `false`, becomes an action as usual. To count attempts in the state itself, and
  /// let the reducer decide, use `backingOff(by:attempt:atLeast:clock:)`.
  ///
  /// A run that is stopped while it waits begins no further attempt. Attempts never overlap, and what an attempt
  /// sends after it has returned is fenced. A request that is handed over reaches the attempt in progress, or else
  /// the next one. Only failures are retried: `timingOut(after:clock:action:)` sends an action, so nothing is retried
  /// around it; `timingOut(after:clock:failure:)` fails, so it is.
  ///
  /// Requests that fail together are not retried together, since each run has its own jitter. With a seed in
  /// `backoff` the jitter is computed from the seed and from the number of runs of this effect that were retried
  /// before, so that a test gets the same delays each time.
  ///
  /// - Parameters:
  ///   - retries: the largest number of attempts after the first. Less than 0 counts as 0.
  ///   - backoff: the delay before each attempt.
  ///   - clock: the clock of the delays.
  ///   - isRetried: whether the coming attempt, after its failure and with its delay, is to be made. Called in the task
  ///     of the run.
  ///   - action: makes the action that is sent before each further attempt. Called in the task of the run.
  public func retried<C: Clock>(
    times retries: Int, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRetried: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Bool = { _, _ in true },
    action: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action
  ) -> RetriedEffect<Self, C> where C.Duration == Duration {
    RetriedEffect(self, { _ in retries }, { _ in backoff }, clock, isRetried, action)
  }

  /// Returns this effect with failed runs tried again, as often and after such delays as the request demands.
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
  ///   - retries: the largest number of attempts after the first. Pure, as `backoff`; both are called in the task of the
  ///     run, with the newest value of the request.
  ///   - backoff: the delay before each attempt.
  ///   - clock: the clock of the delays.
  ///   - isRetried: whether the coming attempt is to be made.
  ///   - action: makes the action that is sent before each further attempt.
  public func retried<C: Clock>(
    times retries: @escaping @Sendable (Request) -> Int,
    by backoff: @escaping @Sendable (Request) -> Backoff = { _ in Backoff() }, clock: C = ContinuousClock(),
    when isRetried: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Bool = { _, _ in true },
    action: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action
  ) -> RetriedEffect<Self, C> where C.Duration == Duration {
    RetriedEffect(self, retries, backoff, clock, isRetried, action)
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
    RetriedEffect(self, { _ in retries }, { _ in backoff }, clock, isRetried ?? always, action)
  }
}

private func always<First, Second>(_: First, _: Second) -> Bool { true }
