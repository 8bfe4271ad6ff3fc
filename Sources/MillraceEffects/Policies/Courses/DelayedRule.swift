import Millrace

/// A delayed run begins after its delay.
private struct DelayedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: DelayedEffect<Base, C>

  func wait(before request: Base.Request) -> Duration { policy.explored(request) }
}

extension DelayedEffect: TimedEffect {
  /// Describes a backoff without a seed with its longest delays, which its jitter would shorten.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(DelayedRule(policy: self), of: request)
  }
}

/// A debounced run begins when its request has stayed the same.
private struct DebouncedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: DebouncedEffect<Base, C>

  func wait(before request: Base.Request) -> Duration { policy.quiet }
  var waitsAnew: Bool { true }
}

extension DebouncedEffect: TimedEffect {
  /// Describes only the wait for quiet. An explorer does not see that a leading request begins at once, nor that a burst
  /// ends after its longest time, nor that a value waits that is handed over to a run that has begun.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(DebouncedRule(policy: self), of: request)
  }
}
