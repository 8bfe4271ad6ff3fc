import MillraceTesting
import Testing

@testable import MillraceSystem

@Suite struct ProgressDrawingTests {
  private func status(
    _ text: String? = nil, _ fraction: Double? = nil, details: [String] = [], notices: [String] = [],
    isOver: Bool = false
  ) -> ProgressStatus {
    var status = ProgressStatus(text, fraction: fraction)
    (status.details, status.notices, status.isOver) = (details, notices, isOver)
    return status
  }

  private func text(_ form: ProgressDrawing.Form, _ statuses: ProgressStatus...) -> String {
    var drawing = ProgressDrawing(prefix: "p: ")
    return statuses.map { drawing.shown($0, form) }.joined()
  }

  @Test("in a log, each change is a line, and each notice is told once")
  func lines() {
    let text = text(
      .lines(), status(), status(notices: ["hello"]), status("1 of 4", 0.25, notices: ["hello"]),
      status("1 of 4", 0.3, details: ["a"], notices: ["hello"]),
      status("2 of 4", 0.5, notices: ["hello", "again"], isOver: true))
    #expect(text == "p: hello\np: 1 of 4\np: again\np: 2 of 4\n")
  }

  @Test("on a terminal, a bar is drawn in its place, and taken away in the end")
  func bar() {
    let text = text(
      .redrawn(columns: 43), status("1 of 2 checked", 0.5), status("1 of 2 checked", 0.5),
      status("1 of 2 checked", 0.5, notices: ["x"]),
      status("1 of 2 checked", 0.5, notices: ["x"], isOver: true))
    let bar = "[###########------------] 1 of 2 checked"
    #expect(text == "\(bar)\r\u{1B}[Kp: x\n\(bar)\r\u{1B}[K")
  }

  @Test("several lines are drawn over from the first of them on")
  func details() {
    let text = text(
      .redrawn(columns: 80), status("busy", details: ["one", "two"]), status("busy", details: ["three"]),
      status("busy", details: ["three"], isOver: true))
    #expect(text == "busy\r\none\r\ntwo\r\u{1B}[2A\u{1B}[Jbusy\r\nthree\r\u{1B}[1A\u{1B}[J")
  }

  @Test("in a window that has become narrower, the rows that a line takes now are drawn over")
  func narrower() {
    var drawing = ProgressDrawing(prefix: "")
    let long = String(repeating: "x", count: 70)
    _ = drawing.shown(status(long), .redrawn(columns: 80))
    #expect(drawing.shown(status("y"), .redrawn(columns: 30)) == "\r\u{1B}[2A\u{1B}[Jy")
    #expect(drawing.erased(columns: 30) == "\r\u{1B}[K")
    #expect(drawing.erased(columns: 30) == "")
  }

  @Test("in a window that has become too narrow for a bar, no row of the bar is left behind")
  func tooNarrow() {
    var drawing = ProgressDrawing(prefix: "")
    _ = drawing.shown(status(String(repeating: "x", count: 70)), .redrawn(columns: 80))
    #expect(drawing.shown(status("y"), .lines(columns: 19)) == "\r\u{1B}[3A\u{1B}[Jy\n")
  }

  @Test("a wide character for half of which there is room takes a row more", arguments: 1...40)
  func wideCharacters(columns: Int) {
    // In `columns` columns there is room for half as many of these, rounded down, and for one where there is none.
    let text = String(repeating: "漢", count: 20)
    let inRow = max(1, columns / 2)
    #expect(TerminalText.rows(of: text, columns: columns) == (20 + inRow - 1) / inRow)
    #expect(
      TerminalText.rows(of: String(repeating: "x", count: 20), columns: columns) == (19 + columns) / columns)
    #expect(TerminalText.rows(of: "", columns: columns) == 1)
  }

  @Test("nothing is ever wider than the terminal", arguments: ["500 of 1000 checked", "漢字漢字漢字漢字", ""])
  func widths(text: String) {
    for columns in 1...120 {
      for fraction in [nil, 0, 0.5, 1, 7, -1, .infinity, .nan] as [Double?] {
        var drawing = ProgressDrawing(prefix: "")
        let shown = drawing.shown(status(text, fraction), .redrawn(columns: columns))
        #expect(TerminalText.columns(of: shown) <= max(1, columns - 3))
        #expect(text.isEmpty || columns < 40 || shown.hasSuffix(text))
      }
    }
  }

  @Test("the bar is as full as the work is done")
  func fullness() {
    for (fraction, filled) in [(0.0, 0), (1.0 / 3, 10), (0.999, 29), (1, 30), (2, 30), (-1, 0)] {
      #expect(text(.redrawn(columns: 80), status("x", fraction)).count { $0 == "#" } == filled)
    }
    // In floating point, 15 of 22 make a little less than 15 of 22 cells.
    #expect(text(.redrawn(columns: 29), status("x", 15.0 / 22)).count { $0 == "#" } == 15)
  }

  @Test("whoever goes over from a terminal to lines leaves no bar behind")
  func formChanges() {
    var drawing = ProgressDrawing(prefix: "")
    _ = drawing.shown(status("a", 0.5), .redrawn(columns: 80))
    #expect(drawing.shown(status("a", 0.5), .lines()) == "\r\u{1B}[Ka\n")
  }

  @Test("control characters of whoever wrote the text do nothing")
  func harmless() {
    let nasty = status("\u{1B}[31m", details: ["\r"], notices: ["\n"])
    for form in [ProgressDrawing.Form.lines(), .redrawn(columns: 80)] {
      #expect(!text(form, nasty).contains("\u{1B}[31m"))
      #expect(text(form, nasty).hasPrefix("p: \\n\n"))
    }
  }

  @Test("notices that are printed may be removed, and those after them are told once")
  func removed() {
    var drawing = ProgressDrawing(prefix: "")
    var status = status(notices: ["a", "b"])
    #expect(drawing.shown(status, .lines()) == "a\nb\n")
    status.reduce(.skipped(1))
    status.reduce(.wrote(next: 1))
    #expect(status.notices == ["b"] && status.firstNotice == 1)
    status.notices.append("c")
    #expect(drawing.shown(status, .lines()) == "c\n")
    status.reduce(.wrote(next: 7))
    #expect(status.notices.isEmpty && status.firstNotice == 3)
    status.notices.append("d")
    #expect(drawing.shown(status, .redrawn(columns: 40)) == "d\n")
    status.reduce(.failed(TerminalFailure(errorNumber: 32)))
    #expect(status.notices.isEmpty && status.firstNotice == 4)
  }
}

@Suite struct ProgressPacingTests {
  private var pacing = ProgressPacing(interval: .seconds(2))

  private mutating func changed(at second: Int, isLast: Bool = false) -> ProgressPacing.Action? {
    pacing.changed(isLast: isLast, now: .seconds(second))
  }

  @Test(
    "what comes too soon waits, together; the first, what comes after the interval and the last are drawn at once"
  )
  mutating func together() {
    #expect(changed(at: 0) == .draw)
    #expect(changed(at: 1) == .wait(until: .seconds(2)))
    #expect(changed(at: 1) == nil)
    pacing.waited(now: .seconds(2))
    #expect(changed(at: 3) == .wait(until: .seconds(4)))
    #expect(changed(at: 3, isLast: true) == .draw)
    #expect(changed(at: 5) == .draw)
  }
}

@Suite struct TerminalTextTests {
  @Test(
    "ideographs and pictures take two columns, marks none",
    arguments: [
      ("", 0), ("abc", 3), ("\u{e9}e\u{301}", 2), ("漢字", 4), ("ｱ", 1), ("한", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("❤️", 2),
      ("\u{200B}", 0),
    ])
  func columns(text: String, columns: Int) {
    #expect(TerminalText.columns(of: text) == columns)
  }

  @Test("a text is cut where a character has no room")
  func prefix() {
    #expect(TerminalText.prefix(of: "a漢字", columns: 4) == "a漢")
    #expect(TerminalText.prefix(of: "a漢字", columns: 5) == "a漢字")
    #expect(TerminalText.prefix(of: "abc", columns: 0) == "")
  }

  @Test("what moves the cursor is shown as an escape, and all else stays")
  func visible() {
    #expect(
      TerminalText.visible("a\u{1B}[2J\r\n\t\u{7F}\u{9B}\u{2028}\u{202E}\u{200F}\u{61C}b")
        == "a\\u{1B}[2J\\r\\n\\t\\u{7F}\\u{9B}\\u{2028}\\u{202E}\\u{200F}\\u{61C}b")
    #expect(TerminalText.visible("ü 漢 👩‍👧") == "ü 漢 👩‍👧")
    #expect(TerminalText.visible("a\tb\0") { $0 == "\t" ? "\t" : "?" } == "a\tb?")
  }
}
