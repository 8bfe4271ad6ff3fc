import Millrace

// Calls that look right and are not, each with the compiler's answer. `Tests/Misuse` has a case of each.

extension EffectComponent where Failure == Never {
  /// Refused: nothing can fail.
  @available(
    *, unavailable,
    message: "the effect cannot fail, so nothing is retried: let its 'run' throw a typed error"
  )
  public func retried<C: Clock>(
    times retries: Int, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRetried: (@Sendable (Failure, Request) -> Bool)? = nil,
    action: @escaping @Sendable (Retry<Failure>, Request) -> Action
  ) -> RetriedEffect<Self, C> where C.Duration == Duration {
    preconditionFailure("a call that the compiler refuses")
  }
}
