import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceSystem

@Suite struct ProgressViewTests {
  private let clock = TestClock()

  private func view(
    _ output: Int32, _ style: ProgressStyle = .automatic, interval: Duration = .seconds(1),
    terminalName: String? = "xterm"
  ) -> TerminalProgressView {
    TerminalProgressView(
      output: TerminalOutput(descriptor: output), prefix: "p: ", style: style, interval: interval,
      clock: clock, terminalName: terminalName)
  }

  @Test("a terminal gets a bar as wide as it is, also when it changes")
  func width() async throws {
    let terminal = try PseudoTerminal(columns: 30)
    let view = view(terminal.slave)
    await view.update(ProgressStatus("1 of 2", fraction: 0.5))
    #expect(terminal.shown() == "[#########---------] 1 of 2")
    terminal.resize(columns: 40)
    clock.advance(by: .seconds(1))
    await view.update(ProgressStatus("2 of 2", fraction: 1))
    #expect(terminal.shown() == "\r\u{1B}[K[############################] 2 of 2")
    await view.finish()
    #expect(terminal.shown() == "\r\u{1B}[K")
    #expect(await view.failure == nil)
  }

  @Test("a terminal that becomes too narrow for a bar keeps no row of it", arguments: [true, false])
  func narrower(isFinished: Bool) async throws {
    let terminal = try PseudoTerminal(columns: 80)
    let view = view(terminal.slave)
    await view.update(ProgressStatus("1 of 2 " + String(repeating: "x", count: 50), fraction: 0.5))
    _ = terminal.shown()
    terminal.resize(columns: 19)
    if isFinished {
      await view.finish()
      #expect(terminal.shown() == "\r\u{1B}[4A\u{1B}[J")
    } else {
      clock.advance(by: .seconds(1))
      await view.update(ProgressStatus("2 of 2", fraction: 1))
      #expect(terminal.shown() == "\r\u{1B}[4A\u{1B}[Jp: 2 of 2\r\n")
    }
  }

  @Test("only a terminal that can do it gets a bar", arguments: [nil, "dumb", "xterm"])
  func automatic(name: String?) async throws {
    let terminal = try PseudoTerminal(columns: name == "xterm" ? 19 : 80)
    await view(terminal.slave, terminalName: name).update(ProgressStatus("1 of 2", fraction: 0.5))
    #expect(terminal.shown() == "p: 1 of 2\r\n")
    let pipe = Pipe.uninherited()
    await view(pipe.fileHandleForWriting.fileDescriptor).update(ProgressStatus("1 of 2", fraction: 0.5))
    #expect(pipe.fileHandleForReading.availableData == Data("p: 1 of 2\n".utf8))
  }

  @Test("a progress view draws once in the interval, in the end the newest status, and the last one at once")
  func pacing() async throws {
    let terminal = try PseudoTerminal()
    let view = view(terminal.slave, .lines)
    for count in 1...5 { await view.update(ProgressStatus("\(count)")) }
    #expect(terminal.shown() == "p: 1\r\n")
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [.start + .seconds(1)])
    clock.advance(by: .seconds(1))
    // What is asked of an actor after the waiting task is woken may still come before it. A terminal
    // shows the end of a line after the line.
    var shown = ""
    try await eventually {
      shown += terminal.shown()
      return shown.hasSuffix("\r\n")  // one character
    }
    #expect(shown == "p: 5\r\n")
    await view.update(ProgressStatus("6"))
    var last = ProgressStatus("7")
    last.isOver = true
    await view.update(last)
    #expect(terminal.shown() == "p: 7\r\n")
  }

  @Test("what waits to be drawn is drawn at the end, and the line is given back")
  func finish() async throws {
    let terminal = try PseudoTerminal()
    let view = view(terminal.slave)
    await view.update(ProgressStatus("1"))
    await view.update(ProgressStatus("2"))
    await view.finish()
    #expect(terminal.shown() == "1\r\u{1B}[K2\r\u{1B}[K")
  }

  @Test("through a store, what is shown follows the state")
  func inAStore() async throws {
    let pipe = Pipe.uninherited()
    let store = Store<ProgressStatus, String>(initialState: ProgressStatus()) { status, action in
      status.text = action
      status.isOver = action == "end"
    }
    store.connect(view(pipe.fileHandleForWriting.fileDescriptor, interval: .zero), to: \.self)
    for text in ["begin", "end"] {
      await store.send(text)
      await store.settled()
    }
    await store.shutdown()
    #expect(pipe.fileHandleForReading.availableData == Data("p: begin\np: end\n".utf8))
  }

  @Test("a closed reader of a terminal output is an error and raises no signal")
  func brokenPipe() async throws {
    let pipe = try BrokenPipe()
    pipe.end()
    let output = TerminalOutput(descriptor: pipe.descriptor)
    #expect(throws: TerminalFailure(errorNumber: EPIPE)) { try output.write("x") }
    #expect(TerminalFailure(errorNumber: EPIPE).isBrokenPipe)
    #expect(!TerminalFailure(errorNumber: ENOSPC).isBrokenPipe)
    let view = view(output.descriptor)
    await view.update(ProgressStatus("1"))
    #expect(await view.failure == TerminalFailure(errorNumber: EPIPE))
    await view.finish()
  }

  @Test("a text is written whole, also where it has no room at once")
  func whole() async throws {
    let pipe = Pipe.uninherited()
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK)
    let text = String(repeating: "0123456789", count: 100_000)
    let output = TerminalOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let (written, continuation) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      try? output.write(text)
      try? pipe.fileHandleForWriting.close()
      continuation.finish()
    }
    let (read, reading) = AsyncStream.makeStream(of: Data.self)
    Thread.detachNewThread {
      reading.yield(pipe.fileHandleForReading.readDataToEndOfFile())
      reading.finish()
    }
    for await data in read { #expect(data == Data(text.utf8)) }
    for await _ in written {}
  }

  @Test("what is no terminal has no size")
  func noTerminal() throws {
    let pipe = Pipe.uninherited()
    let output = TerminalOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    #expect(output.size == nil && !output.isTerminal)
    let terminal = try PseudoTerminal(columns: 33)
    #expect(TerminalOutput(descriptor: terminal.slave).size == TerminalSize(columns: 33, rows: 24))
    #expect(TerminalOutput(descriptor: terminal.slave).isTerminal)
  }

  @Test("a progress view reports the notices that are printed, and the end of writing")
  func reports() async throws {
    let (pipe, reports) = (try BrokenPipe(), Recorder<LineWriterEvent>())
    let view = TerminalProgressView(
      output: TerminalOutput(descriptor: pipe.descriptor), style: .lines, interval: .zero, clock: clock,
      report: { reports.append($0) })
    var status = ProgressStatus()
    await view.update(status)
    status.notices = ["a", "b"]
    await view.update(status)
    status.reduce(.wrote(next: 2))
    await view.update(status)
    #expect(reports.values == [.wrote(next: 2)])
    pipe.end()
    status.notices = ["c"]
    await view.update(status)
    #expect(reports.values.dropFirst() == [.failed(TerminalFailure(errorNumber: EPIPE))])
  }
}
