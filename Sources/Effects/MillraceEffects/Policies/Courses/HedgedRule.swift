import Millrace

/// A hedged run fails when all of its attempts have failed. They may begin one after the other or overlap.
private struct HedgedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: HedgedEffect<Base, C>
  private var race: HedgeRace
  private var attempt: Int?
  private var hasSent = false

  init(_ policy: HedgedEffect<Base, C>, of request: Base.Request) {
    self.policy = policy
    race = policy.newRace(for: request)
    attempt = race.next()
  }

  var phase: [AnyHashable] { [attempt, hasSent] }

  mutating func sent() {
    if let attempt { _ = race.sent(by: attempt) }
    hasSent = true
  }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let number = attempt,
      case .begins(let next) = race.ended(number, failed: failure != nil, isStopped: false)
    else { return nil }
    attempt = next
    return Repetition(wait: .zero)
  }
}

extension HedgedEffect: TimedEffect {
  /// Models attempts that follow each other: the number that may fail does not depend on when they begin. Does not
  /// model that policies within see several attempts at once.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(HedgedRule(self, of: request), of: request)
  }
}
