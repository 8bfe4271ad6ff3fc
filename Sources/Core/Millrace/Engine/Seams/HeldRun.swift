/// A run that executes no body. A test answers for it, or lets its body execute after all.
///
/// Every method may be called from anywhere but a turn of the store.
package final class HeldRun: @unchecked Sendable {  // immutable; the ids are parts of a Sendable state
  let run: Run
  /// Its wait for an answer of the test. The holding test begins this wait. If the body is executed at once, a wait
  /// that had already begun would let the store settle for a moment.
  package let answer: Wait
  /// The ids of the parts of the state to which its effect belongs, outermost first.
  package let parts: [AnyHashable]

  /// The turn lock must be held.
  init(_ run: Run) {
    self.run = run
    answer = Wait(.run(run), .byTest) { "an answer" }
    effect = run.connected.component
    parts = run.connected.partIDs
  }

  package var identity: RunIdentity { run.identity }
  package var request: any Hashable & Sendable { run.request }
  package var generation: UInt64 { run.generation }
  /// The sequence number of the action after which the state asked for it; `nil` if the state did so at the connection.
  package var startedBy: UInt64? { run.cause.action }
  /// Returns another wait of the run.
  package func wait(_ end: Wait.End, for reason: String) -> Wait { Wait(.run(run), end) { reason } }
  package var isLongRunning: Bool { run.connected.isLongRunning }
  /// The effect component whose request it serves.
  package let effect: any Sendable

  /// Whether its actions would be reduced.
  package var isLive: Bool { run.engine.locked { run.isAdmitted } }

  /// Sends an action as the run's body would. Its type must be that of the effect's actions. With the immediate queue,
  /// the action has had its turn when this returns.
  ///
  /// - Returns: the fate of the action; `nil` if it has another type and was not sent.
  package func send(_ action: any Sendable, at site: CallSite) -> Delivery? {
    let isLive = isLive
    return run.connected.send(action, from: run, at: site).map { $0 ? isLive ? .reduced : .fenced : .refused }
  }

  /// Makes the run take the value that was handed over to it, so that no other run begins with it.
  package func takeValue() { run.engine.locked { run.handover }?.take() }

  /// Makes the run return.
  package func finish() { run.engine.bodyReturned(run) }

  /// Makes the run throw.
  ///
  /// - Returns: `false` if the effect cannot throw an error of this type; the run then continues.
  package func fail(_ error: any Error) -> Bool { run.connected.fail(run, with: error) }

  /// Executes the run's body, in a task of its own as in a program.
  package func serve() {
    guard run.unhold() else { return }
    answer.end()
    run.execute()
  }
}

/// Takes runs instead of tasks that would serve them. Only the testing modules have one.
///
/// Called with no lock held, on the thread that has made the turn. Stops come before starts, as a store performs them.
package protocol RunHolder: Sendable {
  /// An effect component was connected. Called with the turn lock held.
  func connected(_ connection: ConnectionIdentity, _ effect: any Sendable)
  /// A run was decided and is to begin.
  func begun(_ run: HeldRun)
  /// A run that is still held was stopped. None of its later actions is reduced.
  func stopped(_ run: HeldRun)
}

/// An effect whose runs wait in a line before the wrapped effect is run, such as one with a limit. A test that answers
/// runs uses it.
package protocol RunsInLine {
  /// The line in which the run of a request waits; `nil` for a request of another effect.
  func place(for request: any Sendable) -> PlaceInLine?
}

/// An effect that runs the wrapped effect repeatedly in one run. Between two attempts, the run has no place in the
/// lines of the wrapped effect. A test that answers runs does not control when that is.
package protocol RepeatsRuns {}

/// A line, and the priority of a run in it.
package typealias PlaceInLine = (line: any LineOfRuns, priority: Int)

/// A line in which runs wait for a free place, such as a slot.
package protocol LineOfRuns: AnyObject, Sendable {
  /// The reason for which a run waits, in words.
  var reason: String { get }
  /// - Returns: `nil` if a free place was taken; otherwise a ticket, and `begin` is called when a place is free.
  func enter(priority: Int, whenFree begin: @escaping @Sendable () -> Void) -> UInt64?
  /// Withdraws a waiting run.
  func leave(_ ticket: UInt64)
  /// Gives back a place.
  func giveBack()
}
