import Millrace

/// An effect that serves each request repeatedly. Made by
/// `polled(every:mode:jitter:seed:backingOff:clock:)`.
public struct PolledEffect<Base: EffectComponent, C: Clock>: PolicyEffect, RepeatsRuns
where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let interval: @Sendable (Base.Request) -> Duration
  let mode: PollMode
  let backoff: Backoff?
  let jitter: Backoff?
  let clock: C

  /// Runs the wrapped effect repeatedly until the run is stopped.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send, on: clock) { PolledRule(self, of: $0, isExplored: false) }
  }
}

extension EffectComponent {
  /// Returns this effect with each request served repeatedly for as long as it is asked for.
  ///
  /// ```swift
  /// let weather = HTTPEffect().polled(every: .seconds(60), backingOff: Backoff(first: .seconds(120)))
  /// store.connect(weather, to: \.downloads, action: AppAction.http, longRunning: true)
  /// ```
  ///
  /// The first run begins at once. The polling ends when the request leaves the state; a reducer that removes the
  /// request with its first result polls only once. Connect the effect with `longRunning: true`; otherwise `settled()`
  /// never returns.
  ///
  /// A run that fails does not end the polling: the action for the failure is sent, and the next run begins when it is
  /// due. With `backingOff`, it begins no sooner than the backoff demands: after one failure, the delay before the
  /// second attempt; after two in a row, that before the third; and so on. A ``RetryAfterProviding`` failure may demand
  /// a longer wait. A run that ends with an action counts as a success. This includes actions that a policy within
  /// sends instead of a failure, as `guarded(by:counting:action:)` and `timingOut(after:clock:action:)` do.
  ///
  /// Runs of one request never overlap, and actions that a run sends after it has returned are fenced. A request that
  /// is handed over reaches the run in progress, or else the next one.
  ///
  /// With `jitter`, requests that began together drift apart, so that clients started together do not all ask a server
  /// at once. Jitter never shortens an interval.
  ///
  /// ```swift
  /// let accounts = HTTPEffect().polled(every: .seconds(60), mode: .fixedRate, jitter: 0.5)
  /// store.connect(accounts, to: \.downloads, action: AppAction.http, longRunning: true)
  /// ```
  ///
  /// To keep each round of the polling in the state, so that the reducer decides when to ask again, use a
  /// ``TimerEffect`` and a request with a number in it.
  ///
  /// - Parameters:
  ///   - interval: the interval of the runs. Less than ``TimerLimits/shortestInterval`` counts as that.
  ///   - mode: how the interval is measured.
  ///   - jitter: the largest share of the interval, from 0 to 1, by which each run but the first begins later. The
  ///     share differs from run to run and from request to request. With a fixed rate, the multiples of the interval
  ///     stay the same, so nothing drifts.
  ///   - seed: the seed of the jitter, which is then the same for each request and in each process, for use in tests;
  ///     if `nil`, a number that this process chose at random.
  ///   - backoff: the shortest delay after failures, from the end of the run that failed.
  ///   - clock: the clock of the interval.
  public func polled<C: Clock>(
    every interval: Duration, mode: PollMode = .fixedDelay, jitter: Double = 0, seed: UInt64? = nil,
    backingOff backoff: Backoff? = nil, clock: C = ContinuousClock()
  ) -> PolledEffect<Self, C> where C.Duration == Duration {
    polled(
      every: { _ in interval }, mode: mode, jitter: jitter, seed: seed, backingOff: backoff,
      clock: clock)
  }

  /// Returns this effect with each request served repeatedly, at the interval that `interval` returns for it.
  ///
  /// Works like the method that takes a duration, with an interval for each request. If requests are handed over, the
  /// interval before the next run is that of the newest request when a run ends. A request that is handed over during
  /// the wait does not change that wait.
  ///
  /// ```swift
  /// let pages = HTTPEffect()
  ///   .polled(every: { page in page.url.hasSuffix("/status") ? .seconds(5) : .seconds(300) })
  /// store.connect(pages, to: \.downloads, action: AppAction.http, longRunning: true)
  /// ```
  ///
  /// - Parameters:
  ///   - interval: the interval of the runs of a request. Less than ``TimerLimits/shortestInterval`` counts as that.
  ///     Pure; called in the task of the run, when the polling begins and after each run.
  ///   - mode: how the interval is measured.
  ///   - jitter: the largest share of the interval, from 0 to 1, by which each run but the first begins later.
  ///   - seed: the seed of the jitter; if `nil`, a number that this process chose at random.
  ///   - backoff: the shortest delay after failures, from the end of the run that failed.
  ///   - clock: the clock of the interval.
  public func polled<C: Clock>(
    every interval: @escaping @Sendable (Request) -> Duration, mode: PollMode = .fixedDelay,
    jitter: Double = 0, seed: UInt64? = nil, backingOff backoff: Backoff? = nil, clock: C = ContinuousClock()
  ) -> PolledEffect<Self, C> where C.Duration == Duration {
    PolledEffect(
      base: self, interval: interval, mode: mode, backoff: backoff,
      jitter: jitter > 0 ? Backoff(jitter: jitter, seed: seed) : nil, clock: clock)
  }
}
