import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

/// What tests of behaviour look at within a store: what waits, and that nothing is left.
extension Store {
  /// How many tasks wait until the store has settled, or until something of it has finished.
  var waiterCount: Int { engine.locked { engine.awaiters.count } }

  /// Returns when so many tasks wait: what they wait for was looked at, and is not there. Returns also when `isOver` holds,
  /// for a wait that may have ended too early.
  func isAwaited(
    by count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, unless isOver: () -> Bool = { false }
  ) async throws {
    try await eventually(sourceLocation: sourceLocation) { waiterCount >= count || isOver() }
  }

  /// Opens the gate when a task waits, and nothing has been recorded so far.
  func isAwaited<Value>(
    beforeAnyOf values: Recorder<Value>, opening gate: Gate,
    sourceLocation: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await isAwaited(sourceLocation: sourceLocation) { values.count > 0 }
    #expect(values.count == 0, sourceLocation: sourceLocation)
    gate.open()
  }

  /// Returns when at least `count` sendings wait in the mailbox, which a held reducer does not empty.
  func mailboxHolds(_ count: Int) async throws {
    try await eventually { engine.mail.withLock({ $0.envelopes.count + $0.returns.count }) >= count }
  }

  /// Tells how much the mailbox has taken, also after the store has gone.
  var mailCount: () -> UInt64 { { [engine] in engine.mail.withLock(\.tickets) } }

  /// How many returns of runs wait in the mailbox.
  var waitingReturns: Int { engine.mail.withLock(\.returns.count) }

  /// How many drains a thread of a queue will still begin, though others may have done their work.
  var drainsOnTheirWay: Int { engine.mail.withLock(\.drainsOnTheirWay) }

  /// Whether it accepts no more, not even of its runs.
  var isClosed: Bool { engine.mail.withLock { _ in engine.account.phase == .closed } }

  /// Accepts no more, as while a shutdown ends connections.
  func closeMailbox() { engine.mail.withLock { _ in engine.account.phase = .closed } }

  /// Closes after what has been sent so far, as a shutdown that begins between two turns.
  func closeAfterMailbox() {
    engine.mail.withLock { (engine.account.phase, engine.account.closesAfter) = (.closing, $0.tickets) }
  }

  /// How many slices of the state are watched.
  var sliceCount: Int { engine.locked { engine.root.childCount } }

  /// How many are connected, dead views among them.
  var connectedCount: Int {
    engine.locked {
      var count = 0
      engine.root.forEachConnected { _ in count += 1 }
      return count
    }
  }

  /// What the store has made for everything that is connected.
  var connectedObjects: [AnyObject] { engine.locked { engine.allConnected(in: engine.account) } }

  /// Whether anything waits for its end, of connections or of parts.
  var isEnding: Bool {
    engine.locked { !engine.endings.unfinished.isEmpty || !engine.endings.nodes.isEmpty }
  }

  /// What lives as long as anything of the store.
  var inside: AnyObject { engine }

  var turnsMade: UInt64 { engine.locked { engine.turn.number } }
  var isInsideTurn: Bool { engine.isInsideTurn }
  var isAnyWaitOnRecord: Bool { engine.mail.withLock { !$0.waits.isEmpty } }

  /// Returns when so many waits are on record: that of a task follows just after its arrival at a gate.
  func areWaitsOnRecord(
    _ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await eventually(sourceLocation: sourceLocation) { engine.mail.withLock(\.waits.count) >= count }
  }

  var haveObserversHeardAll: Bool {
    engine.locked { engine.mail.withLock(\.taps).allSatisfy { $0.ownWork == 0 } }
  }
  var loopDetection: LoopDetection? { engine.options.loopDetection }

  /// Whether the calling task is taken for a run or an update that goes on.
  var isInsideWork: Bool {
    engine.locked { engine.updates.withLock { _ in CurrentWork.mark?.isUnderWay ?? false } }
  }
}

/// How many connections are torn down at once.
let tornDownAtOnce = Endings.limit

extension HeldRun {
  /// Whether its request is a text, and this one.
  func serves(_ text: String) -> Bool { request as? String == text }
  /// Whether nothing has stopped it.
  var isRunning: Bool { run.phase == .running }
}

extension RequestUpdates {
  /// Takes the newest value, unless a consumer has been given it.
  func takeValue() { take() }
  var lastTakenValue: any Sendable { lastTaken }
}
