import Millrace
import MillraceTesting
import MillraceTrace

/// Enters a script into the app and writes the results.
///
/// The app's time is a clock that the script moves, so that a day takes no real time and is the same every time.
struct Session {
  private let store = Store(initialState: Rides(), reduce: Rides.reduce)
  private let clock = TestClock()
  private let write: @Sendable (String) -> Void

  init(world: any RidesWorld, write: @escaping @Sendable (String) -> Void) throws {
    self.write = write
    // MILLRACE_TRACE=FILE in the environment records the program.
    try store.recordIfAsked()
    Rides.connect(to: store, world: world, clock: clock)
    store.onAction { action, state in
      for line in Narrator.lines(for: action, state) { write("  \(line)") }
    }
  }

  /// Enters one step after the other, each when nothing is in progress any more, then ends the app.
  ///
  /// - Returns: the state at the end, and the work that has not ended.
  func run(_ script: Script) async -> (end: Rides, left: ShutdownReport) {
    for step in script.steps {
      write("> \(step.line)")
      switch step.command {
      case .act(let action):
        store.dispatch(action)
        await store.settled()
      case .wait(let minutes):
        for _ in 0..<minutes { await minutePasses() }
      case .status:
        for line in Narrator.status(of: store.state) { write("  \(line)") }
      }
    }
    return (store.state, await store.shutdown())
  }

  /// Moves the clock by a minute, and returns when all work that follows is done.
  private func minutePasses() async {
    guard let minute = store.state.ride?.minute else {
      clock.advance(by: .seconds(60))  // nobody waits for it
      return
    }
    guard (try? await clock.sleepers(atLeast: 1)) != nil else { return }  // cancelled
    clock.advance(by: .seconds(60))
    _ = await store.values(of: \.ride).first { $0?.minute != minute }
    await store.settled()
  }
}
