import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import SampleProgram
import TestSupport
import Testing

@testable import booking

@Suite("Sessions of the booking", .timeLimit(.minutes(10))) struct SessionTests {
  private let folder: TemporaryFolder
  private let lines = Recorder<String>()

  init() throws { folder = try TemporaryFolder() }

  private var session: Session { Session(path: folder.file("state")) { [lines] in $0.forEach(lines.append) } }

  @Test("the demonstration writes its transcript, each time")
  func demonstration() async throws {
    let expected = try Checkout.text("Samples/Booking/transcript.txt")
    for number in 1...3 {
      let (lines, path) = (Recorder<String>(), folder.file("\(number)"))
      try await inTime { try await Session(path: path) { $0.forEach(lines.append) }.play(.demonstration) }
      #expect(lines.values.map { "\($0)\n" }.joined() == expected)
    }
  }

  /// Runs the program over the test's file with lines that come from a pipe, to the end.
  private func run(_ input: String, opening link: [Screen]? = nil) async throws -> [String] {
    let (pipe, session) = (Pipe.uninherited(), session)
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let start = lines.values.count
    try await inTime { try await session.run(opening: link, input: descriptor, on: ImmediateClock()) }
    try pipe.fileHandleForReading.close()
    return Array(lines.values[start...])
  }

  @Test("a session ends at the end of its input, and the next one goes on from there")
  func twoRuns() async throws {
    let first = try await run("open trip/7/seat\nann\n12a\n")
    #expect(first.suffix(3) == ["Trips > Trip 7 > Book: name (ann)", "name?", ""])
    let second = try await run("Ann Lee\n")
    #expect(second.contains("Trips > Trip 7 > Book: review (ann)"))
    let third = try await run("", opening: [.trips])
    #expect(third.contains("Trips > Trip 7 > Book: review > Discard? (ann)"))
  }

  @Test("after quit nothing is read and nothing drawn, and what was typed is kept")
  func quit() async throws {
    let (pipe, session) = (Pipe.uninherited(), session)
    let (input, descriptor) = (pipe.fileHandleForWriting, pipe.fileHandleForReading.fileDescriptor)
    let program = Task { try await session.run(opening: nil, input: descriptor, on: ImmediateClock()) }
    try input.write(contentsOf: Data("open tickets\n".utf8))
    try await eventually { lines.values.contains("Trips > Sign in") }
    try input.write(contentsOf: Data("quit\nann\n".utf8))
    try input.close()
    try await inTime { try await program.value }
    try pipe.fileHandleForReading.close()
    // Nothing slides, so that each action of the user's but that one is followed by a picture.
    #expect(lines.values.count { $0.hasPrefix("Trips >") } == 1)
    let second = try await run("")
    #expect(second.contains("Trips > Sign in"))
  }

  @Test("two programs cannot share a file")
  func locked() async throws {
    let life = try await session.begin(on: TestClock())
    await #expect(throws: StorageFailure.self) { try await session.begin(on: TestClock()) }
    try await life.end()
  }
}

@Suite("The program booking", .timeLimit(.minutes(10))) struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("without input it plays its script")
  func script() async throws {
    let outcome = try await Program(name: "booking").run()
    #expect(outcome.exitCode == 0 && outcome.isQuiet && outcome.output.hasSuffix("> quit\n"))
  }

  @Test(
    "a bad argument or link is one line and exit code 2", arguments: [["open", "trip/8"], ["open"], ["now"]])
  func invalid(words: [String]) async throws {
    let outcome = try await Program(name: "booking").run(words + ["--file", folder.file("state")])
    #expect(outcome.exitCode == 2 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("booking: ") && outcome.errors.split(separator: "\n").count == 1)
    #expect(folder.names == [])
  }

  @Test("a file that cannot be used is one line and exit code 1")
  func unusable() async throws {
    let outcome = try await Program(name: "booking").run(["--file", folder.file("no/state")])
    #expect(outcome.exitCode == 1 && outcome.errors.split(separator: "\n").count == 1)
  }

  @Test("killed in the wizard, it is there again when it begins again")
  func killed() async throws {
    let path = folder.file("state")
    let process = Program(name: "booking").process(["open", "trip/7/seat", "--file", path])
    let (input, output) = (Pipe.uninherited(), Pipe.uninherited())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    try input.fileHandleForWriting.write(contentsOf: Data("ann\n12a\nAnn Lee\n".utf8))
    let text = try await inTime {
      try await onOwnThread {
        var text = ""
        while !text.contains("Trip 7 > Book: review (ann)") {
          let bytes = output.fileHandleForReading.availableData
          if bytes.isEmpty { break }
          text += String(decoding: bytes, as: UTF8.self)
        }
        return text
      }
    }
    #expect(text.contains("Trip 7 > Book: review (ann)"))
    try await eventually { try folder.read("state").contains(Data("Ann Lee".utf8)) }
    try await onOwnThread {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let next = try await Program(name: "booking").run(["--file", path])
    #expect(next.exitCode == 0)
    #expect(next.output.contains("Trips > Trip 7 > Book: review (ann)"))
    #expect(next.output.contains("seat 12a for Ann Lee; book, or back"))
  }
}
