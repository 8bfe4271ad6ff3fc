import Millrace

/// An effect that begins further attempts beside a slow one. Made by `hedged(after:atMost:clock:)`.
public struct HedgedEffect<Base: EffectComponent, C: Clock>: PolicyEffect, RepeatsRuns
where C.Duration == Duration {
  private typealias Outcome = Result<Void, Base.Failure>

  private enum Event: Sendable {
    case ended(Int, Outcome)
    /// The delay after the beginning of an attempt is over, or was ended.
    case waited(Int)
  }

  /// The wrapped effect.
  public let base: Base
  let delay: @Sendable (Base.Request) -> Duration
  let hedges: @Sendable (Base.Request) -> Int
  let clock: C

  func newRace(for request: Base.Request) -> HedgeRace { HedgeRace(attempts: max(0, hedges(request)) + 1) }

  /// Runs the wrapped effect, and begins further attempts beside it as long as none has answered.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send) { base throws(Base.Failure) in
      let race = Lock(newRace(for: base.request))
      let stops = Lock([Int: StopSignal]())
      let outcome = await withTaskGroup(of: Event.self) { group in
        func begin(_ number: Int) {
          let stop = StopSignal()
          stops.withLock { $0[number] = stop }
          let sink = base.send.passing { deliver in
            guard let others = race.withLock({ $0.sent(by: number) }) else { return .fenced }
            for other in others { stops.withLock { $0[other] }?.stop() }
            return await deliver()
          }
          group.addTask {
            .ended(
              number,
              await stop.outcome { () async throws(Base.Failure) in
                try await base.runBeside(send: sink)
              })
          }
          group.addTask {
            _ = await clock.waits(delay(base.request))
            return .waited(number)
          }
        }
        if let first = race.withLock({ $0.next() }) { begin(first) }
        var answer: Outcome?
        for await event in group {
          switch event {
          case .waited(let number):
            if !Task.isCancelled, let next = race.withLock({ $0.waited(after: number) }) { begin(next) }
          case .ended(let number, let outcome):
            let hasFailed = if case .failure = outcome { true } else { false }
            switch race.withLock({ $0.ended(number, failed: hasFailed, isStopped: Task.isCancelled) }) {
            case .continues: break
            case .begins(let next): begin(next)
            case .isOver:
              answer = outcome
              group.cancelAll()
            }
          }
        }
        return answer ?? .success(())
      }
      try outcome.get()
    }
  }
}

extension EffectComponent {
  /// Returns this effect with a further attempt begun beside the first one whenever none has answered after `delay`:
  /// hedged requests.
  ///
  /// Use it if one attempt in a hundred takes very long, and the work may be done twice. The first attempt that sends
  /// an action, or returns without a failure, wins. The others are stopped and fenced: their actions do not reach the
  /// state. If an attempt fails before that and no other is in progress, the next one begins at once. If all have
  /// failed, the run fails with the failure of the last one to end.
  ///
  /// ```swift
  /// let quotes = HTTPEffect().hedged(after: .milliseconds(50))
  /// store.connect(quotes, to: \.downloads, action: AppAction.http)
  /// ```
  ///
  /// The run returns when every attempt has returned. Attempts of one request overlap, so hedge only what may be done
  /// twice: a `GET`, not a payment. A limit or breaker within this policy counts each attempt; one around it counts the
  /// run. A request that is handed over reaches every attempt in progress.
  ///
  /// - Parameters:
  ///   - delay: the time that an attempt may take before the next one begins beside it. A good choice is about the time
  ///     within which nine of ten attempts answer.
  ///   - hedges: the largest number of attempts beside the first. Less than 0 counts as 0.
  ///   - clock: the clock of the delay.
  public func hedged<C: Clock>(
    after delay: Duration, atMost hedges: Int = 1, clock: C = ContinuousClock()
  ) -> HedgedEffect<Self, C> where C.Duration == Duration {
    HedgedEffect(base: self, delay: { _ in delay }, hedges: { _ in hedges }, clock: clock)
  }

  /// Returns this effect with further attempts begun beside the first one, with a delay and a number that depend on the
  /// request.
  ///
  /// Works like the method that takes a duration:
  ///
  /// ```swift
  /// let quotes = HTTPEffect().hedged(
  ///   after: { _ in .milliseconds(50) }, atMost: { request in request.method == "GET" ? 1 : 0 })
  /// store.connect(quotes, to: \.downloads, action: AppAction.http)
  /// ```
  ///
  /// - Parameters:
  ///   - delay: returns the time that an attempt may take before the next one begins beside it. Pure, like `hedges`;
  ///     both are called in the task of the run.
  ///   - hedges: the largest number of attempts beside the first.
  ///   - clock: the clock of the delay.
  public func hedged<C: Clock>(
    after delay: @escaping @Sendable (Request) -> Duration,
    atMost hedges: @escaping @Sendable (Request) -> Int = { _ in 1 }, clock: C = ContinuousClock()
  ) -> HedgedEffect<Self, C> where C.Duration == Duration {
    HedgedEffect(base: self, delay: delay, hedges: hedges, clock: clock)
  }
}
