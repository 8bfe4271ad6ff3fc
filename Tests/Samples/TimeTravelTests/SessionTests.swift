import Foundation
import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@testable import timetravel

@Suite("Sessions of the time travel", .timeLimit(.minutes(10))) struct SessionTests {
  @Test("the demonstration writes its transcript, each time")
  func demonstration() async throws {
    let expected = try Checkout.text("Samples/TimeTravel/transcript.txt")
    for _ in 1...5 {
      let lines = Recorder<String>()
      try await inTime { try await Session { $0.forEach(lines.append) }.run(.demonstration) }
      #expect(lines.values.map { "\($0)\n" }.joined() == expected)
    }
  }

  /// The lines that a session writes for an input that ends.
  private func lines(of input: String, on clock: some Clock<Duration>) async throws -> [String] {
    let (pipe, lines) = (Pipe.uninherited(), Recorder<String>())
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    try await inTime { try await Session(input: descriptor) { $0.forEach(lines.append) }.run(on: clock) }
    try pipe.fileHandleForReading.close()
    return lines.values
  }

  @Test("commands come from a pipe, and quit ends the program while a lookup runs")
  func quit() async throws {
    let lines = try await lines(of: "add tea\n<\nadd milk\nquit\nadd jam\n", on: TestClock())
    #expect(lines.filter { $0.hasPrefix("> ") } == ["> add tea", "> <", "> add milk", "> quit"])
    #expect(lines.last == "looking back: nothing runs, 1 action held")
  }

  @Test("at the end of its input the program waits for what runs")
  func end() async throws {
    let lines = try await lines(of: "add tea\nfind te", on: ImmediateClock())
    #expect(lines.contains("> the input has ended"))
    #expect(lines.contains("list: tea 2.40") && lines.contains("search \"te\": butter, tea, teapot"))
    #expect(lines.last == "live: nothing runs")
  }

  @Test("a session ends with the failure of its output")
  func failure() async throws {
    struct Closed: Error {}
    await #expect(throws: Closed.self) {
      try await Session { if $0.contains("> add milk") { throw Closed() } }.run(.demonstration)
    }
  }
}

@Suite("Recordings of the time travel") struct RecordingTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// Recorded by `MILLRACE_TRACE=FILE swift run timetravel --script`.
  private static func replay(reduce: @escaping Reducer<TimeTravel, TimeTravel.Action>) throws -> ReplayVerdict
  {
    let path = folder.appending(path: "Recordings/demonstration.jsonl").path
    return try Replay(of: path, from: TimeTravel(), reduce: reduce) { store in
      TimeTravel.connect(to: store, shop: Shop(clock: TestClock()))
    }.verdict()
  }

  @Test("the recorded demonstration does the same today: the same states, and the same requests at each step")
  func same() throws {
    let verdict = try Self.replay(reduce: TimeTravel.reduce)
    guard case .same(let summary) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(summary.actions == Script.demonstration.steps.count)
    #expect(summary.notReplayed.isEmpty && summary.notRecorded.isEmpty, "\(summary)")
  }

  @Test("a reducer that does not look back is found")
  func different() throws {
    let verdict = try Self.replay { program, action in
      if action != .typed("<") { TimeTravel.reduce(&program, action) }
    }
    #expect(!verdict.isSame)
  }
}
