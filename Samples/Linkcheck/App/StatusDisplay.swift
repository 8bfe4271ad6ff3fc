import Millrace

/// Shows the status on standard error: a bar on a terminal, plain lines elsewhere.
actor StatusDisplay: Component {
  private let output: Output
  private let style: StatusStyle
  private var toldNotices = 0
  private var shown: Status.Counts?
  private var isBarDrawn = false

  init(output: Output, style: StatusStyle) {
    self.output = output
    self.style = style
  }

  func update(_ status: Status.State) {
    var text = ""
    let isChanged = status.counts != shown
    shown = status.counts
    if isBarDrawn, isChanged || toldNotices < status.notices.count || status.isOver {
      text += StatusStyle.erasure
      isBarDrawn = false
    }
    for notice in status.notices[toldNotices...] { text += "linkcheck: \(notice)\n" }
    toldNotices = status.notices.count
    if let counts = status.counts {
      switch style {
      case .lines:
        if isChanged { text += "linkcheck: \(counts.line)\n" }
      case .bar(let width):
        if !status.isOver, isChanged || !isBarDrawn {
          text += counts.bar(width: width)
          isBarDrawn = true
        }
      }
    }
    // Nobody can be told that standard error does not work.
    if !text.isEmpty { try? output.write(text) }
  }
}

/// How the status is shown.
enum StatusStyle: Equatable, Sendable {
  case lines
  /// A line that is drawn anew in its place, of at most so many columns.
  case bar(width: Int)

  /// Takes away the bar.
  static let erasure = "\r\u{1B}[K"

  init(terminalWidth: Int?, terminalName: String?) {
    guard let terminalWidth, terminalWidth >= 20, terminalName != "dumb", terminalName != nil else {
      self = .lines
      return
    }
    // Room for the `^C` that a terminal shows.
    self = .bar(width: terminalWidth - 3)
  }
}

extension Status.Counts {
  /// `12 of 40 checked, 12 saved, 2 in trouble`
  var line: String {
    "\(checked) of \(known) checked" + (saved.map { ", \($0) saved" } ?? "")
      + (troubles > 0 ? ", \(troubles) in trouble" : "")
  }

  /// `[####------] 12 of 40 checked, …`, no wider than `width`.
  func bar(width: Int) -> String {
    let cells = min(30, width - line.count - 3)
    guard cells >= 5 else { return String(line.prefix(width)) }
    let filled = known > 0 ? cells * checked / known : 0
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "] "
      + line
  }
}
