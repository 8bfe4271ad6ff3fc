/// Takes runs in place of tasks that would serve them. Only the testing modules have one.
///
/// Called with no lock held, on the thread that has made the turn: stops before starts, as a store performs them.
package protocol RunHolder: Sendable {
  /// A run was decided and is to begin.
  func begun(_ run: HeldRun)
  /// A run that is still held was stopped: nothing that it sends from here on is reduced.
  func stopped(_ run: HeldRun)
}

/// A run that executes no body: a test answers in its place, or has the body executed after all.
///
/// Every method may be called from anywhere but a turn of the store.
package final class HeldRun: @unchecked Sendable {  // immutable; ids of parts are values of the state
  private let run: Run
  private let server: any RunServer
  /// The ids of the parts of the state to which its effect belongs, outermost first.
  package let parts: [AnyHashable]

  init(_ run: Run, of server: any RunServer) {
    self.run = run
    self.server = server
    parts = run.attachment.partIDs
  }

  package var identity: RunIdentity { run.identity }
  package var request: any Hashable & Sendable { run.request }
  package var connection: ConnectionIdentity { run.attachment.identity }
  package var generation: UInt64 { run.generation }
  /// The sequence number of the action that made the state ask for it; `nil` if it was asked for on connect.
  package var startedBy: UInt64? { run.cause.action }
  package var isBackground: Bool { run.attachment.isBackground }
  /// The type of the actions that it sends.
  package var actionType: Any.Type { server.actionType }
  /// The type of the errors that it can throw; `Never` if it cannot.
  package var failureType: Any.Type { server.failureType }

  /// Whether what it sends would be reduced.
  package var isLive: Bool { run.engine?.locked { run.isAdmitted } ?? false }

  /// Sends an action as the run's body would, of the type that the effect sends. With the immediate queue the action
  /// has had its turn when this returns.
  ///
  /// - Returns: what became of it; `nil` if it is of another type, and was not sent.
  package func send(_ action: any Sendable, at site: CallSite) -> Delivery? {
    guard let engine = run.engine else { return .refused }
    let isLive = isLive
    guard let isAccepted = server.send(action, from: run, at: site, engine) else { return nil }
    return isAccepted ? isLive ? .reduced : .fenced : .refused
  }

  /// The run returns.
  package func finish() { _ = server.conclude(run, failure: nil) }

  /// The run throws.
  ///
  /// - Returns: whether the error is of the type that the effect can throw; the run goes on if it is not.
  package func fail(_ error: any Error) -> Bool { server.conclude(run, failure: error) }

  /// The run waits for an answer of the test from here on: a store that settles when all is parked does not wait for it.
  ///
  /// Not done by itself: a run whose body is executed at once would be parked for a moment, in which the store settles.
  package func park() { if let engine = run.engine { run.park(engine) } }

  /// Has the run's body executed, in a task of its own as in a program.
  package func serve() {
    guard let engine = run.engine else { return }
    run.unhold(engine)
    server.serve(run, engine)
  }
}

/// What an effect had decided when that was saved.
protocol RunsAtOneTime: AnyObject {
  /// Its runs that a test holds.
  var held: [HeldRun] { get }
  /// What is asked for and has finished.
  var finished: [AnyHashable] { get }
}

/// What a held run needs of its effect.
protocol RunServer: AnyObject, Sendable {
  var actionType: Any.Type { get }
  var failureType: Any.Type { get }
  /// - Returns: whether the action was accepted; `nil` if it is of another type.
  func send(_ action: any Sendable, from run: Run, at site: CallSite, _ engine: Engine) -> Bool?
  /// - Returns: `false` if the failure is of another type.
  func conclude(_ run: Run, failure: (any Error)?) -> Bool
  func serve(_ run: Run, _ engine: Engine)
}
