import Millrace

/// A throttled run begins one interval after the last one.
private struct ThrottledRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: ThrottledEffect<Base, C>

  func entry(for request: Base.Request) -> Entry? {
    Entry(
      shared: policy.throttle, entrance: BucketEntrance(level: policy.throttle.full),
      isRefused: !policy.isLatest)
  }

  func refusal(of request: Base.Request, wait: Duration?) -> DueAct.Kind? {
    let dropped = policy.dropped.map { [$0(request)] } ?? []
    if policy.replacement != .handOver { return .answers(dropped) }
    return dropped.isEmpty ? nil : .sends(dropped)
  }
}

extension ThrottledEffect: TimedEffect {
  /// Models one value for each run. Not modelled: values that are handed over to a run that has begun, which may wait,
  /// be dropped or begin an interval.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(ThrottledRule(policy: self), of: request)
  }
}
