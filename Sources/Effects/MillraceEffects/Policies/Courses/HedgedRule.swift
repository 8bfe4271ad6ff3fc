import Millrace

/// A hedged run fails when all of its attempts have, which may begin one after the other or side by side.
private struct HedgedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: HedgedEffect<Base, C>
  var failures = 0

  var phase: [AnyHashable] { [failures] }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard failure != nil, failures < policy.hedges(request) else { return nil }
    failures += 1
    return Repetition(actions: [], wait: .zero)
  }
}

extension HedgedEffect: TimedEffect {
  /// Describes attempts that follow each other. How many of them may fail does not depend on when they begin; that
  /// policies within see several at once is not described.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(HedgedRule(policy: self), of: request)
  }
}
