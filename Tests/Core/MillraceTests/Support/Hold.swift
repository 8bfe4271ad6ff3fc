import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

/// Holds up a reducer, so that what a test sends meanwhile waits in the mailbox.
///
/// Blocks the thread on which it is called: for serial stores, whose reducers have threads of their own.
final class Hold: Sendable {
  /// For reducers that are held: not that of tasks, whose threads would be missing where the test goes on.
  static let queue = ReducerQueue.serial(qos: .userInitiated)

  private let entered = Recorder<Void>()
  private let signal = Signal(patience: .seconds(600))

  /// Called by the reducer: returns when the test lets go.
  func stay() {
    entered.append(())
    signal.wait()
  }

  /// Returns when the reducer is held up, for the first time or a later one.
  func isHeld(_ count: Int = 1) async throws { try await entered.values(atLeast: count) }

  func letGo() { signal.give() }
}

extension Store where State == Board, Action == Board.Action {
  /// A serial store whose reducer stays at `hold` when the report is "hold".
  convenience init(heldBy hold: Hold, options: StoreOptions = StoreOptions()) {
    self.init(initialState: Board(), on: Hold.queue, options: options) { board, action in
      if action == .report("hold") { return hold.stay() }
      Board.reduce(&board, action)
    }
  }
}

extension Store {
  /// Returns when at least `count` sendings wait in the mailbox, which a held reducer does not empty.
  func mailboxHolds(_ count: Int) async throws {
    try await eventually { engine.mail.withLock({ $0.envelopes.count + $0.returns.count }) >= count }
  }
}
