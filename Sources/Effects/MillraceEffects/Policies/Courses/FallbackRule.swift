import Millrace

/// A run whose effect has failed continues with another effect.
struct FallbackRule<Base: EffectComponent>: PolicyRule {
  let policy: FallbackEffect<Base>
  var isReplaced = false

  var phase: [AnyHashable] { [isReplaced] }

  func course(of request: Base.Request) -> any RunCourse {
    isReplaced ? policy.otherCourse(request) : policy.base.course(of: request)
  }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let failure, !isReplaced, policy.isReplaced(failure, request) else { return nil }
    isReplaced = true
    return Repetition(wait: .zero)
  }
}

extension FallbackEffect: TimedEffect {
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(FallbackRule(policy: self), of: request)
  }
}
