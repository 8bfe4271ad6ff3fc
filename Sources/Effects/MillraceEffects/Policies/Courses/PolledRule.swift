import Millrace

/// A polled run serves its request repeatedly.
struct PolledRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: PolledEffect<Base, C>
  private let isExplored: Bool
  private let backoff: Backoff?
  private let jitter: Backoff?
  /// The interval at the end of the last run.
  private var interval: Duration
  /// The number of runs after which jitter is modelled as constant, so that the number of states is finite.
  static var distinctRuns: Int { 32 }

  /// The number of consecutive failures, capped where the backoff stops growing.
  private var failures = 0
  /// The number of completed runs of the wrapped effect, capped at `distinctRuns`; counted only with seeded jitter.
  private var ended = 0
  /// The time since a run of the wrapped effect was last due, needed for a fixed rate.
  private var elapsed = ElapsedTime()

  init(_ policy: PolledEffect<Base, C>, of request: Base.Request, isExplored: Bool) {
    (self.policy, self.isExplored, interval) = (policy, isExplored, policy.interval(request))
    if isExplored {
      (backoff, jitter) = (policy.backoff?.explored(), policy.jitter?.seed == nil ? nil : policy.jitter)
    } else {
      (backoff, jitter) = (policy.backoff?.spread(over: request), policy.jitter?.spread(over: request))
    }
  }

  var neverFails: Bool { true }
  var phase: [AnyHashable] { [failures, elapsed, ended, interval] }

  private var schedule: PollSchedule<ElapsedTime> {
    PollSchedule(
      interval, policy.mode, backoff, jitter: jitter, start: ElapsedTime(), failures: failures, ended: ended)
  }

  mutating func elapse(_ time: Duration) {
    guard policy.mode == .fixedRate else { return }
    elapsed.time = schedule.sinceTick(at: elapsed.advanced(by: time))
  }

  mutating func ended(_ failure: Base.Failure?, of request: Base.Request) -> Repetition<Base.Action>? {
    var schedule = schedule
    let least = (failure as? any RetryAfterProviding)?.retryDelay
    let next = policy.interval(request)
    let due = schedule.runEnded(failed: failure != nil, next: next, atLeast: least, at: elapsed)
    let wait = elapsed.duration(to: due)
    interval = schedule.interval
    failures = isExplored ? backoff?.growing(upTo: schedule.failures) ?? 0 : schedule.failures
    elapsed = ElapsedTime(time: policy.mode == .fixedRate ? schedule.lateness : .zero)
    if jitter != nil { ended = isExplored ? min(ended + 1, Self.distinctRuns) : ended + 1 }
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
