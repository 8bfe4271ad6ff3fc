import Millrace

/// A run whose failures are retried serves its request again after each, as often as that is allowed.
private struct RetriedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: RetriedEffect<Base, C>
  var attempt = 1

  var phase: [AnyHashable] { [attempt] }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let failure, attempt <= policy.retries(request) else { return nil }
    let retry = RetryAttempt(after: attempt, failure, by: policy.backoff(request).explored(by: 0))
    guard policy.isRetried(retry, request) else { return nil }
    attempt += 1
    return Repetition(actions: [policy.retrying(retry, request)], wait: retry.delay)
  }
}

extension RetriedEffect: TimedEffect {
  /// Describes the delays of the first run that is retried if the backoff has a seed, and otherwise the delays without
  /// jitter: the longest ones, unless a failure demands a longer one.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(RetriedRule(policy: self), of: request)
  }
}
