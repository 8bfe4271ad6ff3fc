/// Computes the text to write for a status, given the text written before. Pure.
struct ProgressDrawing {
  /// The current way of showing a status.
  enum Form: Equatable {
    /// As lines: in a log, or on a terminal that is too narrow for anything else.
    case lines(columns: Int = .max)
    case redrawn(columns: Int)

    /// The width of the output.
    var columns: Int {
      switch self {
      case .lines(let columns), .redrawn(let columns): columns
      }
    }
  }

  /// The prefix of every line that stays.
  private let prefix: String
  /// The number of the next notice.
  private(set) var reportedNotices = 0
  /// The text of the last line that was written for a log.
  private var toldText: String?
  /// The lines on the terminal that the next drawing replaces. The cursor is at the end of the last one.
  private var drawn: [String] = []

  init(prefix: String) { self.prefix = prefix }

  /// The text to write; empty if nothing changes.
  mutating func shown(_ status: ProgressStatus, _ form: Form) -> String {
    let notices = status.notices.dropFirst(max(0, reportedNotices - status.firstNotice))
      .map { "\(prefix)\(TerminalText.visible($0))\n" }.joined()
    reportedNotices = max(reportedNotices, status.firstNotice + status.notices.count)
    switch form {
    case .lines(let columns): return erased(columns: columns) + notices + line(status)
    case .redrawn(let columns): return redrawn(status, notices, columns: columns)
    }
  }

  private mutating func line(_ status: ProgressStatus) -> String {
    guard let text = status.text, text != toldText else { return "" }
    toldText = text
    return "\(prefix)\(TerminalText.visible(text))\n"
  }

  private mutating func redrawn(_ status: ProgressStatus, _ notices: String, columns: Int) -> String {
    let lines = status.isOver ? [] : Self.lines(of: status, columns: columns)
    guard lines != drawn || !notices.isEmpty else { return "" }
    let text = erased(columns: columns) + notices + lines.joined(separator: "\r\n")
    drawn = lines
    return text
  }

  /// The text that erases everything that was drawn, except lines that stay. It moves the cursor to the beginning of
  /// the drawing, and clears the rest of the screen.
  mutating func erased(columns: Int) -> String {
    guard !drawn.isEmpty else { return "" }
    // In a window that has become narrower, a line takes several rows.
    let rows = drawn.reduce(0) { $0 + TerminalText.rows(of: $1, columns: columns) }
    drawn = []
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A\u{1B}[J" : "\r\u{1B}[K"
  }

  private static func lines(of status: ProgressStatus, columns: Int) -> [String] {
    // Leaves room for the `^C` that a terminal prints.
    let room = max(1, columns - 3)
    guard let text = status.text else { return [] }
    return [bar(TerminalText.visible(text), status.fraction, room)]
      + status.details.map { TerminalText.prefix(of: TerminalText.visible($0), columns: room) }
  }

  /// `[####------] 4 of 10`, no wider than `columns`.
  private static func bar(_ text: String, _ fraction: Double?, _ columns: Int) -> String {
    let cells = min(30, columns - TerminalText.columns(of: text) - 3)
    guard let fraction, !fraction.isNaN, cells >= 5 else {
      return TerminalText.prefix(of: text, columns: columns)
    }
    // Adds a little, since a third of thirty cells may be slightly less than ten in floating point.
    let filled = Int(Double(cells) * min(1, max(0, fraction)) + 1e-9)
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "] "
      + text
  }
}
