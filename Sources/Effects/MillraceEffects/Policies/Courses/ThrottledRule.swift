import Millrace

/// A throttled run begins an interval after the last one.
private struct ThrottledRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: ThrottledEffect<Base, C>

  func entry(for request: Base.Request) -> Entry? {
    Entry(
      policy.throttle, ThrottleEntrance(interval: policy.throttle.interval), isRefused: !policy.isLatest)
  }

  func refusal(of request: Base.Request, wait: Duration?) -> DueAct.Kind? {
    let dropped = policy.dropped.map { [$0(request)] } ?? []
    if policy.replacement != .handOver { return .answers(dropped) }
    return dropped.isEmpty ? nil : .sends(dropped)
  }
}

/// Lets one run in at each interval, in order of arrival.
private struct ThrottleEntrance: Entrance {
  let interval: Duration
  /// The time until it lets in the next one.
  private var rest = Duration.zero

  init(interval: Duration) { self.interval = interval }

  var nextChange: Duration? { rest > .zero ? rest : nil }
  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration? { rest }
  func precedes(_ one: (priority: Int, arrival: Int), _ other: (priority: Int, arrival: Int)) -> Bool {
    SlotOrder.firstInFirstOut.precedes(one, other)
  }
  mutating func entered(_ run: AnyHashable, _ cost: Int) {
    rest = min(max(.zero, interval), TimerLimits.longestWait)
  }
  mutating func elapse(_ time: Duration) { rest = max(.zero, rest - time) }
}

extension ThrottledEffect: TimedEffect {
  /// Describes one value for each run. An explorer does not see that values wait, are dropped or count for the interval
  /// that are handed over to a run that has begun.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(ThrottledRule(policy: self), of: request)
  }
}
