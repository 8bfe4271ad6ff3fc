import Millrace

/// A run whose failures are supervised serves its request again after each, unless there are too many of late.
private struct SupervisedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: SupervisedEffect<Base, C>
  private var intensity: RestartIntensity<ElapsedTime>

  init(_ policy: SupervisedEffect<Base, C>) {
    self.policy = policy
    intensity = RestartIntensity(most: policy.restarts, within: policy.window)
  }

  var phase: [AnyHashable] { [intensity] }

  mutating func elapse(_ time: Duration) { intensity.elapse(time, at: ElapsedTime()) }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    guard let failure, policy.isRestarted(failure, request), let number = intensity.failed(at: ElapsedTime())
    else {
      return nil
    }
    let least = (failure as? any RetryAfterProviding)?.retryDelay
    let delay = policy.backoff.explored().delay(before: number + 1, atLeast: least)
    // The wait counts in the window.
    intensity.elapse(delay, at: ElapsedTime())
    let restart = RetryAttempt(attempt: number + 1, failure: failure, delay: delay)
    return Repetition(actions: [policy.restarting(restart, request)], wait: delay)
  }
}

extension SupervisedEffect: TimedEffect {
  /// Describes the delays without jitter if the backoff has no seed. `nil` for a run that sends an action when it gives
  /// up: a test that explores is to list its outcomes.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    givingUp == nil ? PolicyCourse(SupervisedRule(self), of: request) : nil
  }
}
