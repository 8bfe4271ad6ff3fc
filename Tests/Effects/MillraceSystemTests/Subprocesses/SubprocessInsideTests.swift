import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceSystem

@Suite struct LineSplitterTests {
  /// The lines of a text that comes in parts of so many bytes; `+` marks those that are continued.
  private func lines(of text: String, longest: Int, partsOf size: Int) -> [String] {
    var splitter = LineSplitter(longest: longest)
    var (lines, rest): ([LineSplitter.Line], ArraySlice<UInt8>) = ([], ArraySlice(text.utf8))
    while !rest.isEmpty {
      lines += splitter.bytesArrived(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    lines += [splitter.ended()].compactMap(\.self)
    return lines.map { String(decoding: $0.bytes, as: UTF8.self) + ($0.isContinued ? "+" : "") }
  }

  @Test("lines are the same however the bytes come in", arguments: 1...9)
  func parts(size: Int) {
    #expect(lines(of: "", longest: 9, partsOf: size) == [])
    #expect(lines(of: "one\n\ntwo\r\nthree", longest: 9, partsOf: size) == ["one", "", "two\r", "three"])
    #expect(lines(of: "\n\n", longest: 9, partsOf: size) == ["", ""])
    // Exactly as long as may be is no longer.
    #expect(
      lines(of: "abcd\nabcdefghij\nabcdefgh\nabcd", longest: 4, partsOf: size)
        == ["abcd", "abcd+", "efgh+", "ij", "abcd+", "efgh", "abcd"])
  }

  @Test("a limit that cannot be kept counts as one byte", arguments: [0, -5])
  func tooShort(longest: Int) {
    #expect(lines(of: "ab\n", longest: longest, partsOf: 3) == ["a+", "b"])
  }
}

@Suite struct SubprocessLifeTests {
  private var life = SubprocessLife()

  @Test("a process that ends and leaves nothing behind has its group closed at once")
  mutating func plain() {
    #expect(life.outputEnded() == nil)
    #expect(life.exited() == .killGroup)
  }

  @Test("what a process leaves behind has the grace period to end")
  mutating func leftBehind() {
    #expect(life.exited() == .terminateGroup)
    #expect(life.outputEnded() == .killGroup)
    #expect(life.gracePassed() == nil)
  }

  @Test("what does not end in the grace period is killed, once")
  mutating func stubborn() {
    #expect(life.cancelled() == .terminateGroup)
    #expect(life.gracePassed() == .killGroup)
    #expect(life.exited() == nil)
    #expect(life.outputEnded() == nil)
  }

  @Test("whatever asks it to end, it is asked once")
  mutating func once() {
    #expect(life.outputLimitReached() == .terminateGroup)
    #expect(life.cancelled() == nil)
    #expect(life.outputLimitReached() == nil)
    #expect(life.exited() == nil)
    #expect(life.outputEnded() == .killGroup)
    #expect(life.cancelled() == nil)
  }

  @Test("a process that is cancelled and ends is not waited for by the clock")
  mutating func obedient() {
    #expect(life.cancelled() == .terminateGroup)
    #expect(life.outputEnded() == nil)
    #expect(life.exited() == .killGroup)
  }
}

@Suite("Environment variables, byte by byte") struct EnvironmentVariablesTests {
  private let accent = "\u{301}"
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("an inherited variable whose value begins with a combining mark keeps its name and its value")
  func combining() throws {
    let entries = ["A=\(accent)x", "B=\u{FE0F}", "=C=c", "odd", "A=second"].map(bytes)
    let variables = try EnvironmentVariables(.inherited, inherited: { entries })
    #expect(
      variables.values == [
        bytes("A"): bytes("\(accent)x"), bytes("B"): bytes("\u{FE0F}"), bytes("=C"): bytes("c"),
      ])
  }

  @Test("variables whose names look alike are two, and what is no UTF-8 is handed on")
  func alike() throws {
    let inherited = [bytes("\(composed)=1"), bytes("\(decomposed)=2"), bytes("X=") + [0xFF, 0xFE]]
    let variables = try EnvironmentVariables(
      .inheriting(changing: [decomposed: nil, "Y": "\(accent)"]), inherited: { inherited })
    #expect(
      variables.values == [
        bytes(composed): bytes("1"), bytes("X"): [0xFF, 0xFE], bytes("Y"): bytes(accent),
      ])
    #expect(
      Set(variables.entries) == [bytes("\(composed)=1"), bytes("X=") + [0xFF, 0xFE], bytes("Y=\(accent)")])
  }

  @Test("a name with an equals sign is refused, also with a mark after it")
  func refused() {
    for name in ["", "A=", "A=\(accent)", "=A", "A\0"] {
      for environment in [SubprocessEnvironment.exactly([name: "1"]), .inheriting(changing: [name: nil])] {
        #expect(throws: SubprocessFailure.self) {
          try EnvironmentVariables(environment, inherited: { [] })
        }
      }
    }
  }

  @Test("this process's environment variables have the system's exact bytes")
  func own() {
    let entries = EnvironmentVariables.ofThisProcess()
    for (name, value) in ProcessInfo.processInfo.environment where name == "PATH" || name == "HOME" {
      #expect(entries.contains(bytes("\(name)=\(value)")))
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct SpawnedProcessTests {
  private let process = ProcessRun()

  @Test("once nobody holds the pipe of the guard, as when this process is killed, its whole group is killed")
  func killed() async throws {
    let started = try await SpawnedProcess.start(
      ProcessRun.guarded("trap '' TERM HUP; sleep 1000 & echo $!; wait"))
    let run = SubprocessRun(
      started, ProcessRun.guarded(""), clock: process.clock, send: .recording(into: process.sent))
    let finishing = Task { try await run.finished() }
    let child = try #require(Int32(try await process.lines(afterEvents: 2)[0]))
    // Replaces our end of the pipe, which closes it and keeps its number.
    let groupGuard = try #require(started.groupGuard)
    let null = try Descriptor.reading("/dev/null")
    #expect(dup2(null.number, groupGuard.pipe.number) != -1)
    null.close()
    #expect(try await finishing.value == .killed(signal: SIGKILL))
    try await ProcessRun.gone(child)
    #expect(!ProcessRun.isThere(groupGuard.id))
  }

  @Test("the pipe is closed when the run is over")
  func closed() async throws {
    var request = ProcessRun.shell("exit 0")
    request.input = .live
    let started = try await SpawnedProcess.start(request)
    let run = SubprocessRun(started, request, clock: TestClock(), send: .recording(into: process.sent))
    #expect(run.liveInput?.isClosed == false)
    _ = try await run.finished()
    #expect(run.liveInput?.isClosed == true)
  }
}
