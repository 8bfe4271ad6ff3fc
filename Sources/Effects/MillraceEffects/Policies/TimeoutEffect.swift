import Millrace

/// An effect whose runs have a time limit. Made by `timingOut(after:clock:action:)` and
/// `timingOut(after:clock:failure:)`.
public struct TimeoutEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  private typealias Outcome = Result<Void, Base.Failure>

  /// The wrapped effect.
  public let base: Base
  let limit: @Sendable (Base.Request) -> Duration
  let clock: C
  /// The action that a run sends when its time is over, or the failure by which it ends.
  let answer: @Sendable (Base.Request) -> Result<Base.Action, Base.Failure>

  /// Runs the wrapped effect until the time limit.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send) { base throws(Base.Failure) in try await serve(base) }
  }

  private func serve(_ base: RepeatedBase<Self>) async throws(Base.Failure) {
    let (first, send) = (base.request, base.send)
    let fence = SendFence()
    let fenced = fence.around(send)
    let outcome = await withTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        await Result { () async throws(Base.Failure) in try await base.runBeside(send: fenced) }
      }
      group.addTask {
        _ = await clock.waits(limit(first))
        return nil
      }
      var timedOut: Outcome?
      for await outcome in group {
        if let outcome {
          group.cancelAll()
          return timedOut ?? outcome
        }
        if Task.isCancelled { continue }  // the wait for the limit was ended
        let last = base.request
        await fence.close { group.cancelAll() }
        switch answer(last) {
        case .success(let action):
          timedOut = .success(())
          await send(action)
        case .failure(let failure):
          timedOut = .failure(failure)
        }
      }
      return Outcome.success(())
    }
    try outcome.get()
  }
}

extension EffectComponent {
  /// Returns this effect with each run stopped after `limit`. The run then sends `action`.
  ///
  /// Actions that the run sent before stay in the state; later actions and errors have no effect on the state. The
  /// run's task is cancelled, and its identity stays occupied until it has returned; `action` is sent without waiting
  /// for that. A timeout around `limited(to:)` counts the time that a run waits for a slot; a timeout within it does
  /// not.
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).timingOut(after: .seconds(5)) { query in .gaveUp(query) }
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  public func timingOut<C: Clock>(
    after limit: Duration, clock: C = ContinuousClock(), action: @escaping @Sendable (Request) -> Action
  ) -> TimeoutEffect<Self, C> where C.Duration == Duration {
    timingOut(after: { _ in limit }, clock: clock, action: action)
  }

  /// Returns this effect with each run stopped after the time that `limit` returns. The run then sends `action`.
  ///
  /// Works like the method that takes a duration, with a time limit that depends on the request:
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).timingOut(
  ///   after: { query in .seconds(query.count < 3 ? 20 : 5) }, action: { query in .gaveUp(query) })
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  ///
  /// - Parameters:
  ///   - limit: returns the time limit of a run that begins with the request. Pure; called in the task of the run.
  ///   - clock: the clock of the limit.
  ///   - action: makes the action. Called in the task of the run.
  public func timingOut<C: Clock>(
    after limit: @escaping @Sendable (Request) -> Duration, clock: C = ContinuousClock(),
    action: @escaping @Sendable (Request) -> Action
  ) -> TimeoutEffect<Self, C> where C.Duration == Duration {
    TimeoutEffect(base: self, limit: limit, clock: clock, answer: { .success(action($0)) })
  }

  /// Returns this effect with each run stopped after `limit`. The run then fails.
  ///
  /// Differs from the timeout that sends an action in two ways. Policies around this one see the failure, so that
  /// `retried(times:by:clock:when:action:)` tries again and `guarded(by:counting:failure:)` counts it. The failure is
  /// sent when the stopped run has returned, not before.
  ///
  /// ```swift
  /// let pages = HTTPEffect().timingOut(after: .seconds(5), failure: { _ in .timedOut })
  /// store.connect(pages, to: \.downloads, action: AppAction.http)
  /// ```
  public func timingOut<C: Clock>(
    after limit: Duration, clock: C = ContinuousClock(), failure: @escaping @Sendable (Request) -> Failure
  ) -> TimeoutEffect<Self, C> where C.Duration == Duration {
    timingOut(after: { _ in limit }, clock: clock, failure: failure)
  }

  /// Returns this effect with each run stopped after the time that `limit` returns. The run then fails.
  ///
  /// Works like the method that takes a duration, with a time limit that depends on the request. `limit` is pure, and
  /// is called in the task of the run.
  public func timingOut<C: Clock>(
    after limit: @escaping @Sendable (Request) -> Duration, clock: C = ContinuousClock(),
    failure: @escaping @Sendable (Request) -> Failure
  ) -> TimeoutEffect<Self, C> where C.Duration == Duration {
    TimeoutEffect(base: self, limit: limit, clock: clock, answer: { .failure(failure($0)) })
  }
}
