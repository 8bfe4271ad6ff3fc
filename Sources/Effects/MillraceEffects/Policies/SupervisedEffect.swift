import Millrace

/// An effect whose failed runs begin again, unless they fail too often. Made by
/// `supervised(restarts:within:by:clock:when:restarting:)` and its like that sends an action in the end.
public struct SupervisedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let restarts: Int
  let window: Duration
  let backoff: Backoff
  private let clock: C
  let isRestarted: @Sendable (Base.Failure, Base.Request) -> Bool
  let restarting: @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Base.Action
  /// Makes the action of a run that fails too often; `nil` if it fails.
  let givingUp: (@Sendable (Base.Failure, Base.Request) -> Base.Action)?

  init(
    _ base: Base, _ restarts: Int, _ window: Duration, _ backoff: Backoff, _ clock: C,
    _ isRestarted: @escaping @Sendable (Base.Failure, Base.Request) -> Bool,
    _ restarting: @escaping @Sendable (RetryAttempt<Base.Failure>, Base.Request) -> Base.Action,
    _ givingUp: (@Sendable (Base.Failure, Base.Request) -> Base.Action)?
  ) {
    self.base = base
    self.restarts = restarts
    self.window = window
    self.backoff = backoff
    self.clock = clock
    self.isRestarted = isRestarted
    self.restarting = restarting
    self.givingUp = givingUp
  }

  /// Runs the wrapped effect until it returns, or fails once more than it may.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send, on: clock) { _ in SupervisedRule(self, isExplored: false) }
  }
}

extension EffectComponent {
  /// Returns this effect with failed runs begun again, as long as there are no more than `restarts` within `window`; a
  /// run that fails once more fails.
  ///
  /// For runs that go on for long, such as a connection, which fail now and then: what counts is not how often a run has
  /// failed in its life, as with `retried(times:by:clock:when:action:)`, but how often of late. Erlang calls it the
  /// restart intensity of a supervisor.
  ///
  /// ```swift
  /// let feed = effect.supervised(restarts: 3, within: .seconds(10)) { restart, name in
  ///   .restarting(name, after: restart.failure)
  /// }
  /// store.connect(feed, to: \.feeds, longRunning: true)
  /// ```
  ///
  /// The restarts of each run are counted separately. Supervision nests: a second one around the first sees one failure
  /// for each time that the first has given up. To begin more than one effect again, send an action in the end and renew
  /// a part of the state: the page *A daemon* of `Millrace` has a tree of them.
  ///
  /// Before each restart the run sends `restarting` and waits as `backoff` says, for the number of restarts within the
  /// window. A run that is stopped meanwhile does not begin again. Runs never overlap, and what a run sends after it has
  /// returned is fenced. A run that returns has finished, and does not begin again.
  ///
  /// - Parameters:
  ///   - restarts: the largest number of restarts within the window. Less than 0 counts as 0.
  ///   - window: for how long a restart counts.
  ///   - backoff: the delay before each restart.
  ///   - clock: the clock of the window and of the delays.
  ///   - isRestarted: whether a run begins again after a failure; otherwise it fails at once. Called in the task of the
  ///     run.
  ///   - restarting: makes the action that is sent before each restart; its `attempt` is 2 for the first restart
  ///     within the window. Called in the task of the run.
  public func supervised<C: Clock>(
    restarts: Int, within window: Duration, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRestarted: @escaping @Sendable (Failure, Request) -> Bool = { _, _ in true },
    restarting: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action
  ) -> SupervisedEffect<Self, C> where C.Duration == Duration {
    SupervisedEffect(self, restarts, window, backoff, clock, isRestarted, restarting, nil)
  }

  /// Returns this effect with failed runs begun again, as long as there are no more than `restarts` within `window`; then
  /// `givingUp` is sent.
  ///
  /// Works like the method without `givingUp`, but a run that fails once more than it may sends an action and does not
  /// fail. The reducer decides what it means: to renew the part of the state to which the effect is connected, to go on
  /// without it, or to end the program.
  public func supervised<C: Clock>(
    restarts: Int, within window: Duration, by backoff: Backoff = Backoff(), clock: C = ContinuousClock(),
    when isRestarted: @escaping @Sendable (Failure, Request) -> Bool = { _, _ in true },
    restarting: @escaping @Sendable (RetryAttempt<Failure>, Request) -> Action,
    givingUp: @escaping @Sendable (Failure, Request) -> Action
  ) -> SupervisedEffect<Self, C> where C.Duration == Duration {
    SupervisedEffect(self, restarts, window, backoff, clock, isRestarted, restarting, givingUp)
  }
}
