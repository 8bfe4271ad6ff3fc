import LonelyTimer

/// Renders a list of timers as lines of text. Pure.
enum ListFace {
  /// The keys of the rows, in order.
  static let keys = Array("123456789abc")

  static func lines(of list: TimerList) -> [String] {
    list.rows.map { row in "\(key(of: row.id))  \(text(row.timer))" }
  }

  static func key(of id: TimerRow.ID) -> String {
    keys.indices.contains(id - 1) ? String(keys[id - 1]) : "\(id)"
  }

  /// `>  12.3 s` for a running timer, `.   0.0 s` for any other. A tick is a tenth of a second.
  static func text(_ timer: LonelyTimer.State) -> String {
    let seconds = "\(timer.ticks / 10).\(timer.ticks % 10) s"
    return (timer.isRunning ? ">" : ".") + String(repeating: " ", count: max(1, 9 - seconds.count)) + seconds
  }
}
