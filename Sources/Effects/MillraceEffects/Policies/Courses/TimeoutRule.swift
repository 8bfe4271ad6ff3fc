import Millrace

/// A run with a time limit ends when its time is over.
private struct TimeoutRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: TimeoutEffect<Base, C>
  var rest: Duration

  init(_ policy: TimeoutEffect<Base, C>, of request: Base.Request) {
    self.policy = policy
    rest = min(max(.zero, policy.limit(request)), TimerLimits.longestWait)
  }

  var phase: [AnyHashable] { [rest] }

  func limit(of request: Base.Request) -> DueAct? {
    DueAct(after: rest, DueAct.Kind(policy.answer(request)))
  }

  mutating func elapse(_ time: Duration) { rest -= time }
}

extension TimeoutEffect: TimedEffect {
  /// Models a run that returns at once when it is stopped at its time limit.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(TimeoutRule(self, of: request), of: request)
  }
}
