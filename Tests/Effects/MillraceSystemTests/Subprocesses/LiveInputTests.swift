import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import Testing

@Suite("Live input and merged output", .serialized, .timeLimit(.minutes(30)))
struct LiveInputTests {
  private let effect = SubprocessEffect<Int>(clock: TestClock())
  private let sent = Recorder<SubprocessEvent<Int>>()

  private func start(_ script: String) async throws -> Task<Void, any Error> {
    var request = ProcessRun.shell(script)
    request.input = .live
    let run = Task { [effect, sent, request] in
      try await effect.run(request, send: .recording(into: sent))
    }
    try await sent.values(atLeast: 1)
    return run
  }

  private var lines: [String] {
    sent.values.compactMap { event in
      if case .wrote(_, let line) = event, line.stream == .output { line.text } else { nil }
    }
  }

  @Test("a program answers what is written while it runs, and reads the end when its input is closed")
  func conversation() async throws {
    // It stays after the end of its input, so that it is certain to run when that is written to once more.
    let stays = "while :; do sleep 0.01; done"
    let run = try await start(
      "trap 'exit 0' TERM; while read -r line; do echo \"got $line\"; done; echo end; \(stays)")
    try await effect.write("one\n", to: 1)
    try await sent.values(atLeast: 2)
    #expect(lines == ["got one"])
    try await effect.write("two\nthr", to: 1)
    try await effect.write("ee\n", to: 1)
    try await sent.values(atLeast: 4)
    await effect.closeInput(of: 1)
    await effect.closeInput(of: 1)
    await #expect(throws: SubprocessInputFailure.closed(unwritten: 1)) { try await effect.write("x", to: 1) }
    try await sent.values(atLeast: 5)
    run.cancel()
    try await run.value
    #expect(lines == ["got one", "got two", "got three", "end"])
    #expect(sent.values.last == .ended(1, .exited(status: 0)))
    await #expect(throws: SubprocessInputFailure.notRunning) { try await effect.write("x", to: 1) }
    await effect.closeInput(of: 1)
  }

  @Test("a write fails before a process runs, and where its input is not live")
  func notRunning() async throws {
    await #expect(throws: SubprocessInputFailure.notRunning) { try await effect.write("x", to: 1) }
    let run = Task { [effect, sent] in
      try await effect.run(ProcessRun.shell("echo ready; sleep 1000"), send: .recording(into: sent))
    }
    try await sent.values(atLeast: 2)
    await #expect(throws: SubprocessInputFailure.notRunning) { try await effect.write("x", to: 1) }
    run.cancel()
    try? await run.value
  }

  @Test("concurrent writes to a process are not mixed, and may be larger than a pipe holds")
  func turns() async throws {
    let run = try await start("sort | uniq -c | sed 's/^ *//'")
    let count = 20_000
    try await withThrowingTaskGroup { group in
      for letter in ["a", "b", "c"] {
        let text = String(repeating: "\(String(repeating: letter, count: 9))\n", count: count)
        group.addTask { [effect] in try await effect.write(text, to: 1) }
      }
      try await group.waitForAll()
    }
    await effect.closeInput(of: 1)
    try await run.value
    #expect(lines == ["a", "b", "c"].map { "\(count) \(String(repeating: $0, count: 9))" })
  }

  @Test("a writer whom a program does not read is let go when the program ends, and nothing raises a signal")
  func unread() async throws {
    let run = try await start("echo ready; exec sleep 1000")
    try await sent.values(atLeast: 2)
    // More than the pipe holds, each: one waits for the program, the other for its turn.
    let writers = (1...2).map { _ in
      Task { [effect] in
        try await effect.write([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20), to: 1)
      }
    }
    run.cancel()
    try? await run.value
    for writer in writers { await #expect(throws: SubprocessInputFailure.self) { try await writer.value } }
  }

  @Test("a task that was cancelled before writes nothing")
  func cancelled() async throws {
    let run = try await start("cat")
    let writing = Task { [effect] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await effect.write("x\n", to: 1)
    }
    await #expect(throws: SubprocessInputFailure.cancelled) { try await writing.value }
    try await effect.write("y\n", to: 1)
    await effect.closeInput(of: 1)
    try await run.value
    #expect(lines == ["y"])
  }

  @Test("merged, the lines of both streams come in the order in which they were written")
  func merged() async throws {
    let process = ProcessRun()
    var request = ProcessRun.shell("for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done")
    request.mergesErrors = true
    try await process.run(request)
    #expect(process.lines() == (1...5).flatMap { ["o\($0)", "e\($0)"] })
    #expect(process.lines(.error) == [])
    #expect(process.termination == .exited(status: 0))
  }

  @Test("merged output has its limit, and leaves no descriptor open")
  func mergedLimit() async throws {
    var request = ProcessRun.shell("while :; do echo out; echo err >&2; done")
    request.mergesErrors = true
    request.outputLimit = 1_000
    await #expect(throws: SubprocessFailure.outputTooLarge(limit: 1_000)) {
      try await ProcessRun().run(request)
    }
  }
}
