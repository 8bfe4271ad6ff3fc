import Millrace

/// An effect whose runs begin a while after they were started. Made by `delayed(by:clock:)` and
/// `backingOff(by:attempt:clock:)`.
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
  /// A run that is stopped while it waits never begins its body.
  public func backingOff<C: Clock>(
    by backoff: Backoff, attempt: @escaping @Sendable (Request) -> Int, clock: C = ContinuousClock()
  ) -> DelayedEffect<Self, C> where C.Duration == Duration {
    DelayedEffect(self, { backoff.delay(before: attempt($0)) }, clock)
  }
}
