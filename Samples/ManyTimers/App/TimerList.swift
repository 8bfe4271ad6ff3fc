import LonelyTimer
import Millrace

/// Many timers in one store. Each exists as long as its row.
struct TimerList: Equatable, Sendable {
  var rows: KeyedArray<TimerRow>
  /// The number of timers at their limit.
  var done = 0

  enum Action: Codable, Hashable, Sendable {
    case row(TimerRow.ID, LonelyTimer.Action)
    case added(TimerRow.ID)
    case removed(TimerRow.ID)
  }

  /// A list with a number of timers, numbered from 1.
  init(rows count: Int, limit: Int? = nil) {
    rows = KeyedArray(uniqueElements: (0..<count).map { TimerRow(id: $0 + 1, timer: .init(limit: limit)) })
  }

  static func reduce(_ state: inout TimerList, _ action: Action) {
    switch action {
    case .row(let id, let action):
      let isDone = state.rows.mutate(id: id) { row in
        let before = row.timer.isDone
        LonelyTimer.reduce(&row.timer, action)
        return (before: before, now: row.timer.isDone)
      }
      if let isDone, isDone.now != isDone.before { state.done += isDone.now ? 1 : -1 }
    case .added(let id):
      state.rows.append(TimerRow(id: id))
    case .removed(let id):
      if state.rows.remove(id: id)?.timer.isDone == true { state.done -= 1 }
    }
  }

  /// Connects the timer of every row, including later rows.
  static func connect(
    to store: Store<TimerList, Action>, clock: some Clock<Duration>,
    interval: Duration = .milliseconds(100)
  ) {
    store.connectEach(\.rows, action: Action.row) { _, row in
      LonelyTimer.connect(to: row.scope(\.timer), clock: clock, interval: interval)
    }
  }
}
