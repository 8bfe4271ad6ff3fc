import Millrace

/// A delayed run begins after its delay.
private struct DelayedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: DelayedEffect<Base, C>

  func wait(before request: Base.Request) -> Duration { policy.explored(request) }
}

extension DelayedEffect: TimedEffect {
  /// Models a backoff without a seed by its longest delays, without jitter.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(DelayedRule(policy: self), of: request)
  }
}
