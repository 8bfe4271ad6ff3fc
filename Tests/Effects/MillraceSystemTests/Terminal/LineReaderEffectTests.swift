import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

@Suite struct LineReaderEffectTests {
  private let sent = Recorder<LineReaderEvent>()

  private func start(_ effect: LineReaderEffect, answering delivery: Delivery = .reduced) -> Task<
    Void, any Error
  > {
    Task { [sent] in
      try await effect.run(LineReadRequest(), send: .recording(into: sent, answering: delivery))
    }
  }

  private func lines(_ lines: String...) -> [LineReaderEvent] { lines.map { .line(InputLine($0)) } }

  @Test("the lines of a pipe are told as they come, and its end after the last")
  func pipe() async throws {
    let pipe = Pipe.uninherited()
    let run = start(LineReaderEffect(descriptor: pipe.fileHandleForReading.fileDescriptor))
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntw".utf8))
    try await sent.values(atLeast: 1)
    try pipe.fileHandleForWriting.write(contentsOf: Data("o\n\nrest".utf8))
    try await sent.values(atLeast: 3)
    try pipe.fileHandleForWriting.close()
    try await run.value
    #expect(sent.values == lines("one", "two", "", "rest") + [.ended])
  }

  @Test("the lines of a file are told, and its end; so is that of nothing")
  func file() async throws {
    let folder = try TemporaryFolder()
    let numbers = (1...20_000).map(String.init)
    try folder.write(Data(numbers.joined(separator: "\n").utf8), to: "numbers")
    let file = open(folder.file("numbers"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    try await start(LineReaderEffect(descriptor: file)).value
    #expect(sent.values == numbers.map { .line(InputLine($0)) } + [.ended])
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(null) }
    try await start(LineReaderEffect(descriptor: null)).value
    #expect(sent.values.suffix(2) == [.ended, .ended])
  }

  @Test("the lines of a terminal are told; after its end it can be read on")
  func terminal() async throws {
    let terminal = try PseudoTerminal()
    let effect = LineReaderEffect(descriptor: terminal.slave)
    var run = start(effect)
    terminal.type("one\n")
    try await sent.values(atLeast: 1)
    terminal.type("two\u{4}\u{4}")  // Control-D: what was typed so far, and then the end
    try await run.value
    run = start(effect)
    terminal.type("three\n")
    try await sent.values(atLeast: 4)
    run.cancel()
    try await run.value
    #expect(sent.values == lines("one", "two") + [.ended] + lines("three"))
  }

  @Test("a run that is stopped while nothing comes returns, and takes nothing of what comes then")
  func stopped() async throws {
    let pipe = Pipe.uninherited()
    let effect = LineReaderEffect(descriptor: pipe.fileHandleForReading.fileDescriptor)
    for _ in 1...100 {
      let run = start(effect)
      await Task.yield()
      run.cancel()
      try await run.value
    }
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\n".utf8))
    #expect(pipe.fileHandleForReading.availableData == Data("one\n".utf8))
    #expect(sent.values.isEmpty)
  }

  @Test("lines that came together and were not wanted any more are told the next time")
  func leftOver() async throws {
    let pipe = Pipe.uninherited()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntwo\nthree\nfo".utf8))
    let effect = LineReaderEffect(descriptor: pipe.fileHandleForReading.fileDescriptor)
    let store = Store<Prompt, LineReaderEvent>(initialState: Prompt()) { prompt, event in
      prompt.events.append(event)
      prompt.isAsking = false
    }
    store.connect(effect, to: \.isAsking)
    // Reads one line, and is then asked anew.
    await store.settled()
    #expect(store.state.events == lines("one"))
    try await start(effect, answering: .fenced).value
    #expect(sent.values == lines("two"))
    let run = start(effect)
    try await sent.values(atLeast: 3)
    try pipe.fileHandleForWriting.write(contentsOf: Data("ur\n".utf8))
    try await sent.values(atLeast: 4)
    run.cancel()
    try await run.value
    #expect(sent.values == lines("two", "two", "three", "four"))
    await store.shutdown()
  }

  @Test("what a run waits for is told while nothing comes") func waits() async throws {
    let pipe = Pipe.uninherited()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let store = Store<Prompt, LineReaderEvent>(initialState: Prompt()) { $0.events.append($1) }
    store.connect(LineReaderEffect(descriptor: descriptor), to: \.isAsking)
    let waits = { store.activity.entries.flatMap(\.work).flatMap(\.waitsFor) }
    try await eventually { waits() == ["a line of descriptor \(descriptor)"] }
    try pipe.fileHandleForWriting.close()
    try await eventually { store.state.events == [.ended] && waits().isEmpty }
    #expect(await store.shutdown().isClean)
  }

  @Test("a line that is too long comes in pieces")
  func longLine() async throws {
    let pipe = Pipe.uninherited()
    try pipe.fileHandleForWriting.write(contentsOf: Data("abcdefg\n".utf8))
    try pipe.fileHandleForWriting.close()
    try await start(LineReaderEffect(descriptor: pipe.fileHandleForReading.fileDescriptor, longestLine: 4))
      .value
    #expect(
      sent.values == [
        .line(InputLine(Array("abcd".utf8), isContinued: true)), .line(InputLine("efg")), .ended,
      ])
  }

  @Test("a descriptor that is closed or cannot be read is a failure")
  func failures() async throws {
    let closed = LineReaderEffect(descriptor: 1_000_000)
    await #expect(throws: TerminalFailure(errorNumber: EBADF)) { try await start(closed).value }
    let folder = open("/", O_RDONLY | O_CLOEXEC)
    defer { close(folder) }
    await #expect(throws: TerminalFailure(errorNumber: EISDIR)) {
      try await start(LineReaderEffect(descriptor: folder)).value
    }
    let failure = TerminalFailure(errorNumber: EBADF)
    #expect(closed.action(for: failure, of: LineReadRequest()) == .failed(failure))
    #expect(closed.requests(in: false).isEmpty)
  }
}

private struct Prompt: Equatable, Sendable {
  var isAsking = true
  var events: [LineReaderEvent] = []
}
