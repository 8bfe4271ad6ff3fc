import LonelyTimer
import Millrace
import MillraceTesting

/// Very many timers at once, each for a few ticks on a clock without waiting.
struct LoadRun: Hashable, Sendable {
  let rows: Int
  var ticks = 10

  /// The result of the load run.
  struct Result: Sendable {
    var rows = 0
    var actions = 0
    /// The memory of an idle row: its state and its connection.
    var idleBytesPerRow: Int?
    /// The memory of a row with a running timer: also its task, asleep on the clock.
    var runningBytesPerRow: Int?
    var connecting = Duration.zero
    var starting = Duration.zero
    var running = Duration.zero
    /// The problems found, if any.
    var faults: [String] = []
  }

  func run() async -> Result {
    var result = Result(rows: rows)
    let before = ResidentMemory.bytes
    let start = Gate()
    let store = Store(initialState: TimerList(rows: rows, limit: ticks), reduce: TimerList.reduce)
    result.connecting = await time {
      TimerList.connect(to: store, clock: GatedClock(start), interval: .milliseconds(100))
      await store.settled()
    }
    result.idleBytesPerRow = bytesPerRow(since: before)
    result.starting = await time {
      for id in 1...rows { store.dispatch(.row(id, .toggled)) }
      try? await start.waiters(atLeast: rows)
    }
    result.runningBytesPerRow = bytesPerRow(since: before)
    result.running = await time {
      start.open()
      _ = await store.values(of: \.done).first { $0 == rows }
    }
    result.actions = rows * ticks
    result.faults = await faults(of: store)
    return result
  }

  /// The problems at the end: each timer must have ticked exactly as often as it should, and nothing may be left.
  private func faults(of store: Store<TimerList, TimerList.Action>) async -> [String] {
    var faults: [String] = []
    let state = store.state
    let wrong = state.rows.count { $0.timer.ticks != ticks || $0.timer.isRunning }
    if wrong > 0 { faults.append("\(wrong) timers have not ticked \(ticks) times") }
    let expected = UInt64(rows * (ticks + 1))
    let activity = store.activity
    if activity.reduced != expected {
      faults.append("\(activity.reduced) actions were reduced, not \(expected)")
    }
    let report = await store.shutdown()
    if !report.isClean { faults.append("not ended: \(report)") }
    let left = store.activity.entries.count
    if left > 0 { faults.append("\(left) connections are left") }
    return faults
  }

  private func bytesPerRow(since before: Int?) -> Int? {
    guard let before, let now = ResidentMemory.bytes else { return nil }
    return (now - before) / rows
  }

  private func time(_ body: () async -> Void) async -> Duration {
    await ContinuousClock().measure(body)
  }
}
