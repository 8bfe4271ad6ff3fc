import Foundation
import Millrace
import MillraceTrace
import SampleProgram
import TestSupport
import Testing

@testable import traceprobe

#if os(Linux) || os(macOS)
@Suite("A program that is killed leaves its recording", .timeLimit(.minutes(30)))
struct KillTests {
  /// Starts the probe, and kills it once it has written some lines.
  ///
  /// - Returns: the lines that it wrote.
  private static func kill(_ kind: String, in folder: TemporaryFolder, after lines: Int) throws -> [Substring]
  {
    let process = Program(name: "traceprobe").process([kind, folder.file("trace")])
    let output = Pipe.uninherited()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var said = Data()
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      said += data
    }
    Foundation.kill(process.processIdentifier, SIGKILL)
    said += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let whole = said.lastIndex(of: UInt8(ascii: "\n")).map { said[...$0] } ?? Data()
    return String(decoding: whole, as: UTF8.self).split(separator: "\n")
  }

  /// Kills the probe at a random moment, and reads what it left.
  ///
  /// - Returns: the last number that it said to be flushed, and its recording.
  private static func kill(_ kind: String, _ seed: UInt64) throws -> (flushed: UInt64, text: TraceText) {
    let folder = try TemporaryFolder(isInMemory: true)
    var random = SeededGenerator(seed: seed)
    let lines = try kill(kind, in: folder, after: Int.random(in: 1...200, using: &random))
    let flushed = lines.last.flatMap { UInt64($0) } ?? 0
    let text = try TraceText(Array(try folder.read("trace")))
    // It may have been killed while the recording went on in a new file.
    if text.snapshots.isEmpty, folder.names.contains("trace.1") {
      return (flushed, try TraceText(Array(try folder.read("trace.1"))))
    }
    return (flushed, text)
  }

  /// How many times each is killed.
  private static let times = TestSize.count(4, full: 200)

  @Test("each file opens, and nothing is missing that was flushed", arguments: ["file", "ring"])
  func killed(kind: String) async throws {
    for seed in 0..<UInt64(Self.times) {
      let (flushed, text) = try await onOwnThread { try Self.kill(kind, seed) }
      #expect(text.damage == nil, "seed \(seed)")
      let numbers = text.actions.map(\.sequence)
      let last = max(numbers.last ?? 0, text.snapshots.last?.sequence ?? 0)
      #expect(last >= flushed, "seed \(seed)")
      #expect(numbers == numbers.first.map { Array($0..<$0 + UInt64(numbers.count)) } ?? [], "seed \(seed)")
      let memory = TraceMemory(text.header, text.lines.map(\.line))
      let verdict = try Replay(of: memory) { (state: inout [Int], number: Int) in
        state.append(number)
        if state.count > 100 { state.removeFirst(50) }
      }.verdict()
      #expect(verdict.isSame, "seed \(seed): \(verdict)")
    }
  }

  @Test("each file that there is has its header, and its replay is the same in what was compared")
  func replayed() async throws {
    var (replays, decisions, gaps) = (0, 0, 0)
    for seed in 0..<UInt64(TestSize.count(8, full: 400)) as Range<UInt64> {
      let kind = Desk.Kind.allCases[Int(seed % 4)]
      let folder = try TemporaryFolder(isInMemory: true)
      var random = SeededGenerator(seed: seed)
      // Also at once, where there need not be a file, and just as it is recorded.
      let after = [0, 1, 1, 2, Int.random(in: 3...60, using: &random)].randomElement(using: &random) ?? 0
      let lines = try await onOwnThread { try Self.kill(kind.rawValue, in: folder, after: after) }
      let names = folder.names.filter { $0 != "trace.next" }
      #expect(names.contains("trace") || lines.isEmpty, "seed \(seed): \(names)")
      for name in names {
        let replay = try Replay(of: folder.file(name), reduce: Desk.reduce) { Desk.connect($0) }
        guard case .same(let summary) = replay.verdict() else {
          Issue.record("seed \(seed), \(kind), after \(lines.count) lines: \(replay.verdict())")
          continue
        }
        replays += 1
        decisions += summary.decisions
        gaps += summary.gaps
      }
    }
    #expect(
      replays > 4 && decisions > 100 && (gaps > 0 || !TestSize.isFull), "\(replays), \(decisions), \(gaps)")
  }

  @Test("a trap leaves the ring with what came before it")
  func trapped() async throws {
    let (flushed, text) = try await onOwnThread { try Self.kill("trap", .max) }
    #expect(text.damage == nil)
    #expect(text.actions.last.map { $0.sequence >= flushed } == true)
    #expect(text.snapshots.contains { $0.whole != nil })
  }
}
#endif
