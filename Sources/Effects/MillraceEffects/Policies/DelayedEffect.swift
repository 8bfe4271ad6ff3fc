import Millrace

/// An effect whose runs begin after a delay. Made by `delayed(by:clock:)` and
/// `backingOff(by:attempt:atLeast:clock:)`.
public struct DelayedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let delay: @Sendable (Base.Request) -> Duration
  /// The delay that an explorer assumes.
  let explored: @Sendable (Base.Request) -> Duration
  let clock: C

  /// Runs the wrapped effect after the delay.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    let delay = delay(requests.first)
    guard await clock.waits(delay, for: "\(delay.text) of a delay") else { return }
    try await runBase(requests, send: send)
  }
}

extension EffectComponent {
  /// Returns this effect with each run delayed by `delay`.
  ///
  /// A run that is stopped during the delay never begins. Zero or less delays nothing.
  public func delayed<C: Clock>(by delay: Duration, clock: C = ContinuousClock()) -> DelayedEffect<Self, C>
  where C.Duration == Duration {
    DelayedEffect(base: self, delay: { _ in delay }, explored: { _ in delay }, clock: clock)
  }

  /// Returns this effect with each run delayed according to its attempt number.
  ///
  /// To retry, the reducer replaces the request by one with the next attempt number. So the attempts are in the state,
  /// and the reducer decides when to give up:
  ///
  /// ```swift
  /// let downloads = HTTPEffect().backingOff(by: Backoff(), attempt: { $0.attempt })
  /// store.connect(downloads, to: \.downloads, action: AppAction.http)
  /// ```
  ///
  /// ```swift
  /// case .http(.failed(let failure, of: var request)) where failure.isTransient && request.attempt < 5:
  ///   state.downloads.remove(request)
  ///   request.attempt += 1
  ///   state.downloads.insert(request)
  /// ```
  ///
  /// Unless `backoff` has a seed, each request has its own jitter, so that requests that fail together are not tried
  /// again together. If a failure demands a wait, as ``RetryAfterProviding`` does, keep that time in the request and
  /// return it by `least`.
  ///
  /// A run that is stopped during the delay never begins.
  ///
  /// - Parameters:
  ///   - backoff: the delay before each attempt.
  ///   - attempt: returns the attempt number of a request, from 1. Called in the task of the run.
  ///   - least: returns the shortest delay that the last failure demands; by default none. Called in the task of the
  ///     run.
  ///   - clock: the clock of the delay.
  public func backingOff<C: Clock>(
    by backoff: Backoff, attempt: @escaping @Sendable (Request) -> Int,
    atLeast least: @escaping @Sendable (Request) -> Duration? = { _ in nil }, clock: C = ContinuousClock()
  ) -> DelayedEffect<Self, C> where C.Duration == Duration {
    DelayedEffect(
      base: self,
      delay: { backoff.spread(over: $0).delay(before: attempt($0), atLeast: least($0)) },
      explored: { backoff.explored().delay(before: attempt($0), atLeast: least($0)) }, clock: clock)
  }
}
