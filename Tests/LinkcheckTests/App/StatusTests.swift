import Foundation
import Testing

@testable import linkcheck

@Suite("The status display")
struct StatusTests {
  private func status(_ counts: Status.Counts? = nil, notices: [String] = [], isOver: Bool = false)
    -> Status.State
  {
    var state = Status.State()
    if let counts { state.show(counts) }
    for notice in notices { state.tell(notice) }
    if isOver { state.end() }
    return state
  }

  /// What a display writes for a series of states.
  private func output(_ style: StatusStyle, _ states: [Status.State]) async throws -> String {
    let pipe = Pipe()
    let display = StatusDisplay(
      output: Output(descriptor: pipe.fileHandleForWriting.fileDescriptor), style: style)
    for state in states { await display.update(state) }
    try pipe.fileHandleForWriting.close()
    return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test("in a log, each change is a line, and each notice is told once")
  func lines() async throws {
    let one = Status.Counts(checked: 1, known: 4, saved: 0)
    let two = Status.Counts(checked: 2, known: 4, troubles: 1, saved: 2)
    let text = try await output(
      .lines,
      [
        status(), status(notices: ["hello"]), status(one, notices: ["hello"]),
        status(one, notices: ["hello"]),
        status(two, notices: ["hello", "again"], isOver: true),
      ])
    #expect(
      text == """
        linkcheck: hello
        linkcheck: 1 of 4 checked, 0 saved
        linkcheck: again
        linkcheck: 2 of 4 checked, 2 saved, 1 in trouble

        """)
  }

  @Test("on a terminal, a bar is drawn in its place, and taken away in the end")
  func bar() async throws {
    let counts = Status.Counts(checked: 1, known: 2)
    let text = try await output(
      .bar(width: 40),
      [
        status(counts), status(counts), status(counts, notices: ["x"]),
        status(counts, notices: ["x"], isOver: true),
      ])
    let bar = "[###########------------] 1 of 2 checked"
    #expect(text == "\(bar)\r\u{1B}[Klinkcheck: x\n\(bar)\r\u{1B}[K")
  }

  @Test("a bar is never wider than the terminal")
  func widths() {
    let counts = Status.Counts(checked: 500, known: 1000, troubles: 3, saved: 500)
    for width in 1...120 { #expect(counts.bar(width: width).count <= width) }
    #expect(Status.Counts().bar(width: 60).contains("0 of 0"))
  }

  @Test("only a terminal that can do it gets a bar")
  func styles() {
    #expect(StatusStyle(terminalWidth: nil, terminalName: "xterm") == .lines)
    #expect(StatusStyle(terminalWidth: 80, terminalName: "dumb") == .lines)
    #expect(StatusStyle(terminalWidth: 80, terminalName: nil) == .lines)
    #expect(StatusStyle(terminalWidth: 10, terminalName: "xterm") == .lines)
    #expect(StatusStyle(terminalWidth: 80, terminalName: "xterm") == .bar(width: 77))
  }

  @Test("every target has a progress file of its own, with a name that a file can have")
  func progressNames() {
    let targets = [
      "http://a/", "http://a/b", "http://a-b", "file:///a/ü/", String(repeating: "x", count: 900),
    ]
    let names = targets.map { ProgressFile.name(for: $0) }
    #expect(Set(names).count == targets.count)
    for name in names { #expect(name.utf8.count < 100 && !name.contains("/")) }
  }
}
