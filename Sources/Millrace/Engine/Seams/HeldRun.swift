/// A run that executes no body: a test answers in its place, or has the body executed after all.
///
/// Every method may be called from anywhere but a turn of the store.
package final class HeldRun: @unchecked Sendable {  // set once; the ids are parts of a Sendable state
  private let run: Run
  /// Weak, since the effect keeps its runs. It is there while the run has not returned.
  private weak var server: (any RunServer)?
  /// The effect's connection. Kept, since its name may have to be spelled.
  package let connection: ConnectionIdentity
  /// The ids of the parts of the state to which its effect belongs, outermost first.
  package let parts: [AnyHashable]

  /// Its wait for an answer.
  let answer: Wait

  init(_ run: Run, of server: any RunServer) {
    self.run = run
    answer = Wait(.run(run), .byTest) { "an answer" }
    self.server = server
    actionType = server.actionType
    failureType = server.failureType
    connection = run.attachment.identity
    parts = run.attachment.partIDs
  }

  package var identity: RunIdentity { run.identity }
  package var request: any Hashable & Sendable { run.request }
  package var generation: UInt64 { run.generation }
  /// The sequence number of the action that made the state ask for it; `nil` if it was asked for on connect.
  package var startedBy: UInt64? { run.cause.action }
  /// The lines in which it waits before it begins.
  package var lines: [PlaceInLine] { server?.lines(of: run) ?? [] }
  /// A wait of the run in a line.
  package func wait(inLineFor reason: String) -> Wait { Wait(.run(run), .byOthers) { reason } }
  package var isBackground: Bool { run.attachment.isBackground }
  /// The type of the actions that it sends.
  package let actionType: Any.Type
  /// The type of the errors that it can throw; `Never` if it cannot.
  package let failureType: Any.Type

  /// Whether what it sends would be reduced.
  package var isLive: Bool { run.engine?.locked { run.isAdmitted } ?? false }

  /// Sends an action as the run's body would, of the type that the effect sends. With the immediate queue the action
  /// has had its turn when this returns.
  ///
  /// - Returns: what became of it; `nil` if it is of another type, and was not sent.
  package func send(_ action: any Sendable, at site: CallSite) -> Delivery? {
    guard let engine = run.engine, let server else { return .refused }
    let isLive = isLive
    guard let isAccepted = server.send(action, from: run, at: site, engine) else { return nil }
    return isAccepted ? isLive ? .reduced : .fenced : .refused
  }

  /// The run returns.
  package func finish() { _ = server?.conclude(run, failure: nil) }

  /// The run throws.
  ///
  /// - Returns: `false` if the error is not of the type that the effect can throw; the run goes on then.
  package func fail(_ error: any Error) -> Bool { server?.conclude(run, failure: error) ?? true }

  /// The run waits for an answer of the test from here on: a store that settles when all is parked does not wait for it.
  ///
  /// Not done by itself: a run whose body is executed at once would be parked for a moment, in which the store settles.
  package func park() { answer.begin() }

  // MARK: Bodies

  /// Has the run's body executed, in a task of its own as in a program.
  package func serve() {
    guard let engine = run.engine, let server else { return }
    guard run.unhold(engine) else { return }
    answer.end()
    server.serve(run, engine)
  }
}

/// Takes runs in place of tasks that would serve them. Only the testing modules have one.
///
/// Called with no lock held, on the thread that has made the turn: stops before starts, as a store performs them.
package protocol RunHolder: Sendable {
  /// An effect was connected. Called with the turn lock held.
  func connected(_ effect: ConnectedEffect)
  /// A run was decided and is to begin.
  func begun(_ run: HeldRun)
  /// A run that is still held was stopped: nothing that it sends from here on is reduced.
  func stopped(_ run: HeldRun)
}

extension RunHolder {
  package func connected(_ effect: ConnectedEffect) {}
}

/// An effect with the types that it was connected with.
package struct ConnectedEffect {
  package let name: String
  package let requestType: Any.Type
  /// `Never` if it cannot fail.
  package let failureType: Any.Type
}

/// An effect whose runs wait in lines before they begin, such as one with a limit.
package protocol RunsInLine {
  /// The lines in which the run of a request waits, one after the other.
  func lines(for request: any Sendable) -> [PlaceInLine]
}

/// A line with the priority of a run in it.
package typealias PlaceInLine = (line: any RunLine, priority: Int)

/// A line in which runs wait for a place, such as a slot.
package protocol RunLine: AnyObject, Sendable {
  /// What a run waits for, in words.
  var reason: String { get }
  /// - Returns: `nil` if a place is free and taken now; otherwise a ticket, and `begin` is called once a place is.
  func enter(priority: Int, whenFree begin: @escaping @Sendable () -> Void) -> UInt64?
  /// Leaves the line without a place.
  func leave(_ ticket: UInt64)
  /// Gives back a place.
  func giveBack()
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
  /// The lines in which the run waits before it begins.
  func lines(of run: Run) -> [PlaceInLine]
}
