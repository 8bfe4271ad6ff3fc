import Millrace

/// A polled run serves its request repeatedly.
struct PolledRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: PolledEffect<Base, C>
  private var schedule: PollSchedule

  init(_ policy: PolledEffect<Base, C>, of request: Base.Request, isExplored: Bool) {
    self.policy = policy
    let seeded = policy.jitter?.seed == nil ? nil : policy.jitter
    schedule = PollSchedule(
      policy.interval(request), policy.mode,
      isExplored ? policy.backoff?.explored() : policy.backoff?.spread(over: request),
      jitter: isExplored ? seeded : policy.jitter?.spread(over: request), isExplored: isExplored)
  }

  var neverFails: Bool { true }
  var phase: [AnyHashable] { [schedule] }

  mutating func elapse(_ time: Duration) { schedule.elapse(time) }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    let wait = schedule.runEnded(
      failed: failure != nil, next: policy.interval(request),
      atLeast: (failure as? any RetryAfterProviding)?.retryDelay)
    return Repetition(actions: failure.map { [policy.action(for: $0, of: request)] } ?? [], wait: wait) {
      "the next poll in \(wait.text)"
    }
  }
}

extension PolledEffect: TimedEffect {
  /// Models a backoff without a seed by its delays without jitter. These are the longest ones, unless a failure demands
  /// a longer one. Once the delays have reached their longest, all further ones are equal, even with jitter.
  ///
  /// Models the jitter of the interval if it has a seed: for the first runs, after which it stays constant. Without a
  /// seed the interval has no jitter, so each run begins as early as possible.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(PolledRule(self, of: request, isExplored: true), of: request)
  }
}
