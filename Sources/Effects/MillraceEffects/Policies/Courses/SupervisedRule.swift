import Millrace

/// A supervised run serves its request again after each failure, unless there were too many failures recently.
struct SupervisedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: SupervisedEffect<Base, C>
  private var intensity: RestartIntensity<ElapsedTime>
  private let isExplored: Bool

  init(_ policy: SupervisedEffect<Base, C>, isExplored: Bool) {
    (self.policy, self.isExplored) = (policy, isExplored)
    intensity = RestartIntensity(most: policy.restarts, within: policy.window)
  }

  var phase: [AnyHashable] { [intensity] }

  mutating func elapse(_ time: Duration) { intensity.elapse(time, at: ElapsedTime()) }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let failure, policy.isRestarted(failure, request) else { return nil }
    guard let number = intensity.failed(at: ElapsedTime()) else {
      return policy.givingUp.map { Repetition(actions: [$0(failure, request)], wait: nil) }
    }
    let least = (failure as? any RetryAfterProviding)?.retryDelay
    let backoff = isExplored ? policy.backoff.explored() : policy.backoff.spread(over: request)
    let delay = backoff.delay(before: number + 1, atLeast: least)
    // The wait counts towards the window.
    intensity.elapse(delay, at: ElapsedTime())
    let restart = RetryAttempt(attempt: number + 1, failure: failure, delay: delay)
    return Repetition(actions: [policy.restarting(restart, request)], wait: delay) {
      "restart \(number) in \(delay.text)"
    }
  }
}

extension SupervisedEffect: TimedEffect {
  /// Models the delays without jitter if the backoff has no seed.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(SupervisedRule(self, isExplored: true), of: request)
  }
}
