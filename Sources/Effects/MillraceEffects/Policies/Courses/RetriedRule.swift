import Millrace

/// A retried run serves its request again after each failure, up to a number of attempts.
struct RetriedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: RetriedEffect<Base, C>
  let isExplored: Bool
  /// The salt of the run's jitter, from its first retry on; `nil` for an explorer.
  var salt: UInt64?
  var attempt = 1

  var phase: [AnyHashable] { [attempt] }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let failure, attempt <= policy.retries(request) else { return nil }
    if salt == nil, !isExplored { salt = policy.nextSalt() }
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
    PolicyCourse(RetriedRule(policy: self, isExplored: true), of: request)
  }
}
