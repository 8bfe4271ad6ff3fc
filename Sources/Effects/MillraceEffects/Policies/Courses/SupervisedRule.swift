import Millrace

/// A supervised run serves its request again after each failure, unless there were too many failures recently.
struct SupervisedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: SupervisedEffect<Base, C>
  private var intensity: RestartIntensity
  private let isExplored: Bool

  init(_ policy: SupervisedEffect<Base, C>, isExplored: Bool) {
    (self.policy, self.isExplored) = (policy, isExplored)
    intensity = RestartIntensity(most: policy.restarts, within: policy.window)
  }

  var phase: [AnyHashable] { [intensity] }

  mutating func elapse(_ time: Duration) { intensity.elapse(time) }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let failure, policy.isRestarted(failure, request) else { return nil }
    guard let number = intensity.failed() else {
      return policy.givingUp.map { Repetition(actions: [$0(failure, request)], wait: nil) }
    }
    let backoff = isExplored ? policy.backoff.explored() : policy.backoff.spread(over: request)
    let restart = RetryAttempt(after: number, failure, by: backoff)
    // The wait counts towards the window.
    intensity.elapse(restart.delay)
    return Repetition(actions: [policy.restarting(restart, request)], wait: restart.delay) {
      "restart \(number) in \(restart.delay.text)"
    }
  }
}

extension SupervisedEffect: TimedEffect {
  /// Models the delays without jitter if the backoff has no seed.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(SupervisedRule(self, isExplored: true), of: request)
  }
}
