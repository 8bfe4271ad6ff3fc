import Foundation
import Millrace
import MillraceTrace
import SampleProgram
import TestSupport
import Testing

#if os(Linux) || os(macOS)
@Suite("The command on a recording's file", .timeLimit(.minutes(10)))
struct CommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.file("trace.jsonl")
    let bytes = try await record(every: 1) { store in
      await store.send(.auditAsked(7))
      await store.send(.wanted("tea", count: 2))
    }
    try folder.write(Data(bytes), to: "trace.jsonl")
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program(name: "millrace").run(arguments)
  }

  @Test(
    "each command answers, for people and as JSON",
    arguments: [["inspect"], ["why", "2"], ["why", "-1"], ["why", "tea"], ["show", "-1"], ["graph"]])
  func answers(_ words: [String]) async throws {
    let command = [words[0], path] + words.dropFirst()
    let text = try await Program(name: "millrace").run(command)
    #expect(text.exitCode == 0)
    #expect(text.errors == "")
    #expect(!text.output.isEmpty)
    #expect(!text.output.contains("\u{1B}"))
    let json = try await Program(name: "millrace").run(command + ["--json"])
    #expect(json.exitCode == 0)
    #expect(throws: Never.self) { try JSONReader.read(json.output) }
  }

  @Test("an answer that there is no such thing, and a difference, have a code of their own")
  func negative() async throws {
    #expect(try await run("why", path, "99").exitCode == 1)
    #expect(try await run("why", path, "nothing of this kind").exitCode == 1)
    #expect(try await run("show", path, "99").exitCode == 1)
    #expect(try await run("diff", path, path).exitCode == 0)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let shorter = text.split(separator: "\n").prefix(5).joined(separator: "\n") + "\n"
    try folder.write(Data(shorter.utf8), to: "other")
    #expect(try await run("diff", path, folder.file("other")).exitCode == 1)
  }

  @Test("wrong arguments and unreadable files are named")
  func wrong() async throws {
    for (words, problem) in [
      (["why"], "millrace: why takes 2 arguments, not 0\n"),
      (["show", path, "x"], "millrace: 'x' is no number of an action\n"),
      (["inspect", "/no/such"], "millrace: /no/such cannot be read: No such file or directory\n"),
      (["inspect", path, "--grep"], "millrace: --grep needs a value\n"),
      (["inspect", "--colour", path], "millrace: '--colour' is not an option\n"),
      (["export", path], "millrace: export needs a format: --chrome\n"),
    ] {
      let outcome = try await Program(name: "millrace").run(words)
      #expect(outcome.exitCode == 2)
      #expect(outcome.errors.hasPrefix(problem), "\(outcome.errors)")
    }
    try folder.write(Data("hello\n".utf8), to: "text")
    let outcome = try await run("inspect", folder.file("text"))
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.hasPrefix("millrace: \(folder.file("text")):1: is no header of a recording"))
  }

  @Test("a damaged file is answered as far as it can be read, and a torn one is said")
  func damaged() async throws {
    var text = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    text[6] = text[6].replacing("\"t\"", with: "\"T\"")
    try folder.write(Data((text.joined(separator: "\n") + "\n").utf8), to: "damaged")
    let damaged = try await run("inspect", folder.file("damaged"))
    #expect(damaged.exitCode == 3)
    #expect(
      damaged.errors
        == "millrace: \(folder.file("damaged")):7: differs from its checksum; what follows is not read\n")
    try folder.write(Data(try String(contentsOfFile: path, encoding: .utf8).dropLast(9).utf8), to: "torn")
    let torn = try await run("inspect", folder.file("torn"))
    #expect(torn.exitCode == 0)
    #expect(torn.errors.contains("the last line is incomplete"))
  }

  @Test("a file is followed as it is written, until it is removed")
  func followed() async throws {
    let path = folder.file("growing")
    let store = Store(initialState: 0) { (state: inout Int, step: Int) in state += step }
    let recording = try store.record(to: .file(path))
    try await recording.flush()
    let process = Program(name: "millrace").process(["tail", path])
    let (output, errors) = (Pipe.uninherited(), Pipe.uninherited())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // Not by `terminate()`: a child that was started on a thread of Dispatch inherits SIGTERM as blocked, and the run of
    // the tests would wait for it.
    defer { kill(process.processIdentifier, SIGKILL) }
    for round in 1...3 {
      await store.send(1)
      recording.note("round \(round)")
      try await recording.flush()
      try await onOwnThread {
        var text = ""
        while !text.contains("mark: round \(round)") {
          let data = output.fileHandleForReading.availableData
          if data.isEmpty { throw Unexpected() }
          text += String(decoding: data, as: UTF8.self)
        }
      }
    }
    let text = try await onOwnThread {
      try FileManager.default.removeItem(atPath: path)
      return String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    #expect(text == "millrace: \(path) is gone\n")
  }

  @Test("a folder is no recording", arguments: ["tail", "inspect"])
  func folder(command: String) async throws {
    let wrong = try await run(command, folder.path)
    #expect(wrong.exitCode == 2)
    #expect(wrong.errors == "millrace: \(folder.path) cannot be read: Is a directory\n")
  }

  @Test("a flight recorder is read, and that it cannot be followed is said")
  func ring() async throws {
    let ring = folder.file("ring")
    let store = Store(initialState: 0) { (state: inout Int, step: Int) in state += step }
    let recording = try store.record(to: .ring(ring, bytes: 16 << 10))
    for _ in 0..<400 { await store.send(1) }
    try await recording.finish()
    let read = try await run("tail", ring, "--once", "--grep", "action 400 ")
    #expect(read.exitCode == 0 && read.output.split(separator: "\n").count == 1, "\(read)")
    for command in [["tail", ring], ["view", "--follow", ring]] {
      let followed = try await Program(name: "millrace").run(command)
      #expect(followed.exitCode == 2)
      #expect(followed.errors.hasPrefix("millrace: \(ring) is a flight recorder, which keeps the last lines"))
    }
  }

  @Test("the end of a file is read once, and only the wanted lines")
  func tail() async throws {
    let all = try await run("tail", path, "--once")
    #expect(all.output.split(separator: "\n").count > 10)
    let some = try await run("tail", path, "--once", "--grep", "audits")
    #expect(some.output.split(separator: "\n").count == 2)
    #expect(try await run("export", path, "--chrome").output.hasPrefix("{\"displayTimeUnit\""))
  }
}
#endif
