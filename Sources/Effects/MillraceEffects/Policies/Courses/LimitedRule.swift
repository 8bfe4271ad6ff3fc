import Millrace

/// A limited run holds a slot while the wrapped effect runs.
private struct LimitedRule<Base: EffectComponent>: PolicyRule {
  let policy: LimitedEffect<Base>

  func entry(for request: Base.Request) -> Entry? {
    Entry(
      shared: policy.limit, entrance: SlotEntrance(count: policy.limit.count, order: policy.limit.order),
      priority: policy.priority(request))
  }

  var staysInside: Bool { true }
}

/// Lets in as many runs as there are slots.
private struct SlotEntrance: Entrance {
  let count: Int
  let order: SlotOrder?

  var nextChange: Duration? { nil }
  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration? { inside < count ? .zero : nil }
  func entered(_ run: AnyHashable, _ cost: Int) {}
  func elapse(_ time: Duration) {}
}

extension LimitedEffect: TimedEffect {
  /// Models a limit whose slots only effects take.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(LimitedRule(policy: self), of: request)
  }
}
