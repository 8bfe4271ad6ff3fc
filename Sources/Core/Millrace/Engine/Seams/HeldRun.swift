/// A run that executes no body: a test answers in its place, or has the body executed after all.
///
/// Every method may be called from anywhere but a turn of the store.
package final class HeldRun: @unchecked Sendable {  // immutable; the ids are parts of a Sendable state
  private let run: Run
  /// Its wait for an answer of the test. The test that holds it begins the wait: a run whose body is executed at once
  /// would be parked for a moment, in which the store settles.
  package let answer: Wait
  /// The ids of the parts of the state to which its effect belongs, outermost first.
  package let parts: [AnyHashable]

  init(_ run: Run, serving effect: any Sendable) {
    self.run = run
    answer = Wait(.run(run), .byTest) { "an answer" }
    self.effect = effect
    parts = run.connected.partIDs
  }

  package var identity: RunIdentity { run.identity }
  package var request: any Hashable & Sendable { run.request }
  package var generation: UInt64 { run.generation }
  /// The sequence number of the action that made the state ask for it; `nil` if it was asked for on connect.
  package var startedBy: UInt64? { run.cause.action }
  /// Another wait of the run's.
  package func wait(_ end: Wait.End, for reason: String) -> Wait { Wait(.run(run), end) { reason } }
  package var isLongRunning: Bool { run.connected.isLongRunning }
  /// The effect component whose request it serves.
  package let effect: any Sendable

  /// Whether what it sends would be reduced.
  package var isLive: Bool { run.engine.locked { run.isAdmitted } }

  /// Sends an action as the run's body would, of the type that the effect sends. With the immediate queue the action
  /// has had its turn when this returns.
  ///
  /// - Returns: the fate of the action; `nil` if it is of another type and was not sent.
  package func send(_ action: any Sendable, at site: CallSite) -> Delivery? {
    let isLive = isLive
    return run.connected.send(action, from: run, at: site).map { $0 ? isLive ? .reduced : .fenced : .refused }
  }

  /// The run takes the value that was handed over to it, so that no other run begins with it.
  package func takeValue() { run.engine.locked { run.handover }?.take() }

  /// The run returns.
  package func finish() { run.engine.bodyReturned(run) }

  /// The run throws.
  ///
  /// - Returns: `false` if the error is not of the type that the effect can throw; then the run continues.
  package func fail(_ error: any Error) -> Bool { run.connected.fail(run, with: error) }

  /// Has the run's body executed, in a task of its own as in a program.
  package func serve() {
    guard run.unhold() else { return }
    answer.end()
    run.begin()
  }
}

extension HeldRun {
  /// Tells the holder. Called with no lock held.
  func wasStopped() { run.engine.options.holder?.stopped(self) }
}

/// Takes runs in place of tasks that would serve them. Only the testing modules have one.
///
/// Called with no lock held, on the thread that has made the turn: stops before starts, as a store performs them.
package protocol RunHolder: Sendable {
  /// An effect component was connected. Called with the turn lock held.
  func connected(_ connection: ConnectionIdentity, _ effect: any Sendable)
  /// A run was decided and is to begin.
  func begun(_ run: HeldRun)
  /// A run that is still held was stopped: nothing that it sends from here on is reduced.
  func stopped(_ run: HeldRun)
}
