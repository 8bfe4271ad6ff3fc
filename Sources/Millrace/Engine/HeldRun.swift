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

  // MARK: Moves

  /// The store's action that an action of the effect's becomes; `nil` if it is of another type.
  package func storeAction(of action: any Sendable) -> (any Sendable)? {
    run.engine.flatMap { server.storeAction(of: action, from: run, $0) }
  }

  /// The store's action that a failure becomes; `nil` if it is of another type.
  package func storeAction(ofFailure failure: any Error) -> (any Sendable)? {
    run.engine.flatMap { server.storeAction(ofFailure: failure, of: run, $0) }
  }

  fileprivate func due(of request: any Hashable & Sendable, after acts: Int) -> DueAct<
    any Sendable, any Error
  >? { server.due(of: request, after: acts) }

  /// Whether it has not returned, and what it sends is reduced. The turn lock must be held.
  var isAdmitted: Bool { server.current(run).map(server.admits) ?? false }

  /// The run returns. The turn lock must be held.
  ///
  /// - Returns: whether that is done; otherwise it is when the turn lock has been released.
  func returnInTurn() -> Bool { server.current(run).map(server.concludeInTurn) ?? true }

  // MARK: Bodies

  /// Has the run's body executed, in a task of its own as in a program.
  package func serve() {
    guard let engine = run.engine else { return }
    run.unhold(engine)
    server.serve(run, engine)
  }
}

/// A run that is held, with what it serves.
package struct AnswerableRun {
  package let run: HeldRun
  /// The newest request that was handed over to it.
  package let request: any Hashable & Sendable
  /// Whether it was stopped: only where fences are switched off.
  package let wasStopped: Bool

  /// What it does next by itself, where the effect tells.
  ///
  /// - Parameter acts: how often it has acted by itself.
  package func due(after acts: Int) -> DueAct<any Sendable, any Error>? { run.due(of: request, after: acts) }
}

/// What an effect had decided when that was saved.
protocol RunsAtOneTime: AnyObject {
  /// All of it, but for the numbers of the runs.
  var contents: EffectContents { get }
  /// Its runs that a test holds.
  var held: [HeldRun] { get }
  /// The same, each with what it serves.
  var answerable: [AnswerableRun] { get }
  /// What is asked for and has finished.
  var finished: [AnyHashable] { get }
}

/// What an effect has decided, in values of which two are equal if they behave the same. The effects of a lifetime that
/// begins again have other numbers and are the same.
package struct EffectContents: Hashable {
  package let connection: ConnectionIdentity
  /// The ids of the parts of the state to which the effect belongs, outermost first.
  package let parts: [AnyHashable]
  let table: [Erased: RunContents<Erased>]

  /// Whether nothing runs, waits or has finished.
  package var isEmpty: Bool { table.isEmpty }

  package static func == (left: Self, right: Self) -> Bool {
    left.connection.name == right.connection.name && left.connection.site == right.connection.site
      && left.parts == right.parts && left.table == right.table
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(connection.name)
    hasher.combine(parts)
    hasher.combine(table)
  }
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

  // For a test that explores what may happen. The turn lock must be held, between turns.

  /// The run by what is decided now, which may have been put in place of something equal; `nil` if it has returned.
  func current(_ run: Run) -> Run?
  /// Whether what the run sends is reduced.
  func admits(_ run: Run) -> Bool
  /// The store's action that an action of the effect's becomes; `nil` if it is of another type.
  func storeAction(of action: any Sendable, from run: Run, _ engine: Engine) -> (any Sendable)?
  /// The store's action that a failure becomes; `nil` if it is of another type.
  func storeAction(ofFailure failure: any Error, of run: Run, _ engine: Engine) -> (any Sendable)?
  /// What a run does next by itself, where the effect tells.
  func due(of request: any Hashable & Sendable, after acts: Int) -> DueAct<any Sendable, any Error>?
  /// Concludes a run that has returned.
  ///
  /// - Returns: whether that is done; otherwise it is when the turn lock has been released.
  func concludeInTurn(_ run: Run) -> Bool
  /// Ends every run, and asks anew for what is asked for.
  func restart()
}
