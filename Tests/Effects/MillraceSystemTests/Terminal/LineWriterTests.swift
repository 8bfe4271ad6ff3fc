import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

@Suite("Line writer", .timeLimit(.minutes(30)))
struct LineWriterTests {
  private let pipe = Pipe.uninherited()
  private let reported = Recorder<LineWriterEvent>()

  init() {
    // A process that another test starts would keep the pipe open.
    for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  private var output: TerminalOutput {
    TerminalOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
  }

  private func writer(_ output: TerminalOutput) -> LineWriter {
    LineWriter(output: output) { [reported] in reported.append($0) }
  }

  /// What has been written, once nobody writes any more.
  private func written() throws -> String {
    try pipe.fileHandleForWriting.close()
    return try String(decoding: pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  private func log(_ lines: String...) -> LineLog {
    var log = LineLog()
    for line in lines { log.append(line) }
    return log
  }

  @Test("each line is written once, in order, and reported")
  func lines() async throws {
    let writer = writer(output)
    var log = log("one", "")
    await writer.update(log)
    await writer.update(log)
    log.append("three\twith \u{1B}[2J")
    await writer.update(log)
    log.reduce(.wrote(next: 2))
    #expect(Array(log.lines) == ["three\twith \u{1B}[2J"])
    await writer.update(log)
    #expect(try written() == "one\n\nthree\twith \u{1B}[2J\n")
    #expect(reported.values == [.wrote(next: 2), .wrote(next: 3)])
  }

  @Test("lines that were removed before they were written are reported, and the others written")
  func skipped() async throws {
    let writer = writer(output)
    var log = log("a")
    await writer.update(log)
    for line in ["b", "c", "d", "e"] { log.append(line) }
    log.removeLines(exceeding: 2)
    await writer.update(log)
    log.append("f")
    log.removeLines(exceeding: 0)
    await writer.update(log)
    #expect(try written() == "a\nd\ne\n")
    #expect(
      reported.values == [.wrote(next: 1), .skipped(2), .wrote(next: 5), .skipped(1)])
  }

  @Test("a closed reader is a failure of a line writer, reported once, raises no signal, and no line is kept")
  func brokenPipe() async throws {
    let broken = try BrokenPipe()
    let writer = writer(TerminalOutput(descriptor: broken.descriptor))
    broken.end()
    var log = log("a")
    await writer.update(log)
    log.append("b")
    await writer.update(log)
    #expect(await writer.failure?.isBrokenPipe == true)
    #expect(reported.values == [.failed(TerminalFailure(errorNumber: EPIPE))])
    log.reduce(.failed(TerminalFailure(errorNumber: EPIPE)))
    log.append("c")
    #expect(log.lines.isEmpty && log.nextNumber == 3 && log.failure?.isBrokenPipe == true)
    let decoded = try JSONDecoder().decode(LineLog.self, from: JSONEncoder().encode(log))
    #expect(decoded == log)
    let other = self.writer(output)
    await other.update(decoded)
    #expect(reported.values.last == .wrote(next: 3))
    log.reduce(.wrote(next: 3))
    log.append("d")
    await other.update(log)
    #expect(reported.values.last == .wrote(next: 4))
    #expect(try written() == "d\n")
    var status = ProgressStatus()
    status.notices.append("a")
    status.reduce(.failed(TerminalFailure(errorNumber: EPIPE)))
    status.notices.append("b")
    status.reduce(.failed(TerminalFailure(errorNumber: EPIPE)))
    #expect(status.notices.isEmpty && status.firstNotice == 2 && status.failure?.isBrokenPipe == true)
  }

  @Test("while nobody reads, lines stay in the log and other components go on; then all is written")
  func backPressure() async throws {
    enum Action: Sendable {
      case say(String)
      case log(LineWriterEvent)
    }
    let store = Store<LineLog, Action>(initialState: LineLog()) { log, action in
      switch action {
      case .say(let line): log.append(line)
      case .log(let event): log.reduce(event)
      }
    }
    let seen = RecordingComponent<LineLog>()
    store.connect(
      LineWriter(output: output) { [weak store] in store?.dispatch(.log($0)) }, to: \.self)
    store.connect(seen, to: \.self)
    let line = String(repeating: "x", count: 9_999)
    for _ in 1...40 { await store.send(.say(line)) }
    try await seen.received.values(atLeast: 1)
    #expect(store.state.nextNumber == 40)
    #expect(store.state.lines.count > 0)  // a pipe holds less than that
    async let reading = onOwnThread { [pipe] in try pipe.fileHandleForReading.readToEnd() }
    await store.settled()
    #expect(store.state.lines.isEmpty)
    try pipe.fileHandleForWriting.close()
    #expect(try await reading?.count == 400_000)
    _ = await store.shutdown()
  }

  @Test("on a terminal, control characters are shown and do nothing")
  func terminal() async throws {
    let terminal = try PseudoTerminal()
    await writer(TerminalOutput(descriptor: terminal.slave)).update(log("a\tb\u{1B}[2J", "c\nd"))
    // The terminal shows a line end as two characters, and may show a tab as spaces.
    let shown = String(decoding: terminal.shown().utf8.filter { $0 != 13 }, as: UTF8.self)
    #expect(shown.hasSuffix("b\\u{1B}[2J\nc\\nd\n"))
  }

  @Test("a log that begins anew is written from its beginning")
  func replaced() async throws {
    let writer = writer(output)
    await writer.update(log("a", "b"))
    await writer.update(log("c"))
    #expect(try written() == "a\nb\nc\n")
  }

  @Test("numbers that make no sense remove nothing, or all")
  func numbers() {
    var log = log("a", "b")
    log.removeLines(before: -1)
    log.removeLines(exceeding: 5)
    #expect(log.lines.count == 2)
    log.removeLines(before: .max)
    #expect(log.lines.isEmpty && log.firstNumber == 2)
    log.append("c")
    log.removeLines(exceeding: -1)
    #expect(log.nextNumber == 3 && log.lines.isEmpty)
  }
}
