import Millrace

/// A retried run serves its request again after each failure, up to a number of attempts.
struct RetriedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: RetriedEffect<Base, C>
  /// Makes the salt of a run's jitter at its first retry; `nil` for an explorer.
  private let newSalt: (@Sendable () -> UInt64)?
  private var salt: UInt64?
  private var attempt = 1

  init(_ policy: RetriedEffect<Base, C>, _ newSalt: (@Sendable () -> UInt64)? = nil) {
    (self.policy, self.newSalt) = (policy, newSalt)
  }

  var phase: [AnyHashable] { [attempt] }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let failure, attempt <= policy.retries(request) else { return nil }
    salt = salt ?? newSalt?()
    let backoff = policy.backoff(request)
    let retry = RetryAttempt(
      after: attempt, failure, by: salt.map { backoff.salted(by: $0) } ?? backoff.explored(by: 0))
    guard policy.isRetried(retry, request) else { return nil }
    attempt += 1
    return Repetition(actions: [policy.retrying(retry, request)], wait: retry.delay) {
      "attempt \(retry.attempt) in \(retry.delay.text)"
    }
  }
}

extension RetriedEffect: TimedEffect {
  /// Models the delays of the first retried run if the backoff has a seed, otherwise the delays without jitter. These
  /// are the longest ones, unless a failure demands a longer one.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(RetriedRule(self), of: request)
  }
}
