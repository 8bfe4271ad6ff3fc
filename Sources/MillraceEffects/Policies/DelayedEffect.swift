import Millrace

/// An effect whose runs begin a while after they were started. Made by `delayed(by:clock:)` and
/// `backingOff(by:attempt:atLeast:clock:)`.
public struct DelayedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The effect within.
  public let base: Base
  private let delay: @Sendable (Base.Request) -> Duration
  private let clock: C

  init(_ base: Base, _ delay: @escaping @Sendable (Base.Request) -> Duration, _ clock: C) {
    self.base = base
    self.delay = delay
    self.clock = clock
  }

  /// Runs the effect within when the delay is over.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard await clock.waits(delay(requests.first)) else { return }
    try await runBase(requests, send: send)
  }
}

extension EffectComponent {
  /// This effect with each run's body beginning `delay` after the run was started.
  ///
  /// A run that is stopped before never begins its body. Zero or less delays nothing.
  public func delayed<C: Clock>(by delay: Duration, clock: C = ContinuousClock()) -> DelayedEffect<Self, C>
  where C.Duration == Duration {
    DelayedEffect(self, { _ in delay }, clock)
  }

  /// This effect with each run waiting before its body begins, for as long as its attempt calls for.
  ///
  /// To retry is to ask for a request that differs in the number of its attempt; so attempts are in the state,
  /// and it is the reducer that decides when to give up:
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
  /// Each request has its own jitter, so that requests which fail together are not tried again together, unless
  /// `backoff` has a seed. Where a failure says how long to wait, as ``RetryDelaying`` does, keep that in the request,
  /// and return it by `least`.
  ///
  /// A run that is stopped while it waits never begins its body.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - attempt: The number of the attempt that a request asks for, from 1. Called in the task of the run.
  ///   - least: How long to wait at least, as the failure before said; by default nothing. Called in the task of the run.
  ///   - clock: What the wait is measured by.
  public func backingOff<C: Clock>(
    by backoff: Backoff, attempt: @escaping @Sendable (Request) -> Int,
    atLeast least: @escaping @Sendable (Request) -> Duration? = { _ in nil }, clock: C = ContinuousClock()
  ) -> DelayedEffect<Self, C> where C.Duration == Duration {
    DelayedEffect(
      self,
      { request in
        backoff.spread(over: request).delay(before: attempt(request), atLeast: least(request))
      }, clock)
  }
}
