import Millrace

/// An effect whose failed runs restart, unless they fail too often. Made by
/// `supervised(restarts:within:by:clock:when:restarting:)` and by its variant that sends an action when it gives up.
public struct SupervisedEffect<Base: EffectComponent, C: Clock>: PolicyEffect, RepeatsRuns
where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let restarts: Int
  let window: Duration
  let backoff: Backoff
  let clock: C
  let isRestarted: @Sendable (Base.Failure, Base.Request) -> Bool
  let restarting: @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Base.Action
  /// Makes the action of a run that gives up; `nil` if such a run fails.
  let givingUp: (@Sendable (Base.Failure, Base.Request) -> Base.Action)?

  /// Runs the wrapped effect until it returns, or fails too often.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send, on: clock) { _ in SupervisedRule(self, isExplored: false) }
  }
}

extension EffectComponent {
  /// Returns this effect with failed runs restarted, at most `restarts` times within `window`. A run that fails once
  /// more fails.
  ///
  /// For long runs that fail now and then, such as a connection. What counts is not the total number of failures, as
  /// with `retried(times:by:clock:when:action:)`, but the number of recent ones. Erlang calls this the restart
  /// intensity of a supervisor.
  ///
  /// ```swift
  /// let feed = effect.supervised(restarts: 3, within: .seconds(10)) { restart, name in
  ///   .restarting(name, after: restart.failure)
  /// }
  /// store.connect(feed, to: \.feeds, longRunning: true)
  /// ```
  ///
  /// The restarts of each run are counted separately. Supervision nests: an outer supervision sees one failure for each
  /// time that the inner one has given up. To restart more than one effect, send an action when giving up, and renew a
  /// part of the state: the page *A daemon* of `Millrace` shows a tree of them.
  ///
  /// Before each restart the run sends `restarting` and waits for the delay of `backoff`, which depends on the number
  /// of restarts within the window. A run that is stopped meanwhile does not restart. Runs never overlap, and actions
  /// that a run sends after it has returned are fenced. A run that returns has finished, and does not restart.
  ///
  /// - Parameters:
  ///   - restarts: the largest number of restarts within the window. Less than 0 counts as 0.
  ///   - window: the time for which a restart counts.
  ///   - backoff: the delay before each restart.
  ///   - clock: the clock of the window and of the delays.
  ///   - isRestarted: whether a run restarts after a failure; otherwise it fails at once. Called in the task of the
  ///     run.
  ///   - restarting: makes the action that is sent before each restart; its `attempt` is 2 for the first restart
  ///     within the window. Called in the task of the run.
  public func supervised<C: Clock>(
    restarts: Int, within window: Duration, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRestarted: @escaping @Sendable (Failure, Request) -> Bool = { _, _ in true },
    restarting: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action
  ) -> SupervisedEffect<Self, C> where C.Duration == Duration {
    SupervisedEffect(
      base: self, restarts: restarts, window: window, backoff: backoff, clock: clock,
      isRestarted: isRestarted, restarting: restarting, givingUp: nil)
  }

  /// Returns this effect with failed runs restarted, at most `restarts` times within `window`. A run that fails once
  /// more sends `givingUp`.
  ///
  /// Works like the method without `givingUp`, but a run that gives up sends an action instead of failing. The reducer
  /// decides what it means: to renew the part of the state to which the effect is connected, to continue without it, or
  /// to end the program.
  public func supervised<C: Clock>(
    restarts: Int, within window: Duration, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRestarted: @escaping @Sendable (Failure, Request) -> Bool = { _, _ in true },
    restarting: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action,
    givingUp: @escaping @Sendable (Failure, Request) -> Action
  ) -> SupervisedEffect<Self, C> where C.Duration == Duration {
    SupervisedEffect(
      base: self, restarts: restarts, window: window, backoff: backoff, clock: clock,
      isRestarted: isRestarted, restarting: restarting, givingUp: givingUp)
  }
}
