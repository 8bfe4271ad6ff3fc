import Millrace
import MillraceTesting
import TestSupport
import Testing

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
  static func held(options: StoreOptions = StoreOptions()) -> (BoardStore, Hold) {
    let hold = Hold()
    return (BoardStore(heldBy: hold, options: options), hold)
  }

  /// Returns when the reducer stays at the hold.
  func stays(at hold: Hold, isolation: isolated (any Actor)? = #isolation) async throws {
    dispatch(.report("hold"))
    try await hold.isHeld()
  }

  /// A serial store whose reducer stays at `hold` when the report is "hold".
  convenience init(heldBy hold: Hold, options: StoreOptions = StoreOptions()) {
    self.init(initialState: Board(), on: Hold.queue, options: options) { board, action in
      if action == .report("hold") { return hold.stay() }
      Board.reduce(&board, action)
    }
  }
}
