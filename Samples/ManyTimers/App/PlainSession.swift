import LonelyTimer
import Millrace
import MillraceTesting
import MillraceTrace

/// The list without a terminal: a few keys, some time on a clock that the session moves, and lines of text.
struct PlainSession {
  let store = Store(initialState: TimerList(rows: ListFace.keys.count), reduce: TimerList.reduce)
  private let clock = TestClock()
  private let interval = Duration.milliseconds(100)
  private let write: @Sendable (String) -> Void

  init(write: @escaping @Sendable (String) -> Void) throws {
    self.write = write
    // MILLRACE_TRACE=FILE in the environment records the program.
    try store.recordIfAsked()
    TimerList.connect(to: store, clock: clock, interval: interval)
  }

  func run() async {
    await press("1")
    await press("2")
    await press("c")
    await ticks(5)
    await press("2")
    await ticks(7)
    await press("2")
    await press("1")
    await ticks(3)
    write("the end: \(await store.shutdown())")
  }

  func press(_ key: Character) async {
    guard let byte = key.asciiValue, case .toggle(let id) = Key(byte: byte) else { return }
    write("key \(key)")
    await store.send(.row(id, .toggled))
  }

  /// Lets a number of ticks pass, each after the work of the previous one is done.
  func ticks(_ count: Int) async {
    for _ in 0..<count {
      let running = store.state.running
      let expected = store.state.ticks + running
      // The task was cancelled.
      guard (try? await clock.sleepers(atLeast: running)) != nil else { return }
      clock.advance(by: interval)
      _ = await store.values(of: \.ticks).first { $0 == expected }
    }
    write("after \(count) ticks")
    for line in ListFace.lines(of: store.state) where !line.hasSuffix(" 0.0 s") { write("  \(line)") }
  }
}

extension TimerList {
  /// The number of running timers.
  var running: Int { rows.count { $0.timer.isRunning } }
  /// The number of ticks of all timers.
  var ticks: Int { rows.reduce(0) { $0 + $1.timer.ticks } }
}
