import Millrace

/// A throttled run begins an interval after the last one.
private struct ThrottledRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: ThrottledEffect<Base, C>

  func entry(for request: Base.Request) -> Entry? {
    Entry(policy.throttle, BucketEntrance(level: policy.throttle.full), isRefused: !policy.isLatest)
  }

  func refusal(of request: Base.Request, wait: Duration?) -> DueAct.Kind? {
    let dropped = policy.dropped.map { [$0(request)] } ?? []
    if policy.replacement != .handOver { return .answers(dropped) }
    return dropped.isEmpty ? nil : .sends(dropped)
  }
}

extension ThrottledEffect: TimedEffect {
  /// Describes one value for each run. An explorer does not see that values wait, are dropped or count for the interval
  /// that are handed over to a run that has begun.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(ThrottledRule(policy: self), of: request)
  }
}
