import Foundation
import Millrace
import MillraceTrace
import TestSupport
import Testing

@Suite("A recording that lacks lines is the same in what it has", .timeLimit(.minutes(10)))
struct CutRecordingTests {
  private static let sessions = TestSize.count(1, full: 10)
  /// Of so many lines one is cut.
  private static let share = TestSize.isFull ? 1 : 24

  private static func record(
    _ ending: Session.Ending, isRing: Bool, _ random: inout SeededGenerator
  ) async throws -> [UInt8] {
    let every = [1, 3, 64].randomElement(using: &random) ?? 1
    guard isRing else {
      let memory = TraceMemory()
      try await Session.record(to: .memory(memory), every: every, ending, using: &random)
      return memory.bytes
    }
    let folder = try TemporaryFolder()
    let path = folder.file("trace")
    try await Session.record(to: .ring(path), every: every, ending, using: &random)
    return try unrolled(ring: path)
  }

  @Test("cut behind every line, and within it", arguments: Session.Ending.allCases, [1, 2] as [UInt64])
  func cut(_ ending: Session.Ending, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for session in 0..<Self.sessions {
      let bytes = try await Self.record(ending, isRing: false, &random)
      let ends = DamageTests.ends(bytes)
      for (line, end) in ends.enumerated() where line % Self.share == session % Self.share {
        let verdict = try Session.verdict(Array(bytes[...end]))
        #expect(
          verdict.isSame, "session \(session), cut behind line \(line + 1) of \(ends.count): \(verdict)")
        if line == 0 { continue }
        let torn = Int.random(in: ends[line - 1] + 1...end, using: &random)
        let within = try Session.verdict(Array(bytes[..<torn]))
        #expect(within.isSame, "session \(session), cut within line \(line + 1): \(within)")
      }
    }
  }

  @Test("cut behind every line, however it ends", arguments: EndingTests.Way.allCases)
  func ending(_ way: EndingTests.Way) async throws {
    let recorded = try await EndingTests.record(way)
    let bytes = try #require(recorded.memory).bytes
    for (line, end) in DamageTests.ends(bytes).enumerated() where line % Self.share == 0 {
      let memory = TraceMemory(Array(bytes[...end]))
      let cut = EndingTests.Recorded(folder: recorded.folder, memory: memory)
      let same = try cut.replay(EndingTests.reduce, way.around { _ = EndingTests.connections($0) }).verdict()
      #expect(same.isSame, "\(same)")
      // What is recorded is compared.
      let none = try cut.replay(
        EndingTests.reduce, way.around { _ = EndingTests.connections($0) { _ in nil } })
      let hasRun = try cut.text.runs.contains {
        if case .start(let start) = $0.event { start.name == "look" } else { false }
      }
      #expect(none.verdict().isSame != hasRun, "\(none.verdict())")
    }
  }

  @Test("with a gap between any line and a snapshot of everything", arguments: [1, 2] as [UInt64])
  func gap(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for session in 0..<Self.sessions {
      let bytes = try await Self.record(.finished, isRing: true, &random)
      let text = try TraceText(bytes)
      let lines = text.lines.map { LineWriter.bytes(of: $0.line) }
      let header = LineWriter.bytes(of: .header(text.header))
      let wholes = text.lines.indices.filter { index in
        if case .snapshot(let snapshot) = text.lines[index].line { snapshot.whole != nil } else { false }
      }
      let gap = LineWriter.bytes(of: .lost(9))
      for (number, begin) in wholes.enumerated() where number % Self.share == 0 {
        let tail = Array(lines[begin...].joined())
        let alone = try Session.verdict(header + tail)
        #expect(alone.isSame, "session \(session), from line \(begin + 2) on: \(alone)")
        let cut = Int.random(in: 0...begin, using: &random)
        let verdict = try Session.verdict(header + Array(lines[..<cut].joined()) + gap + tail)
        #expect(verdict.isSame, "session \(session), lines \(cut + 2) to \(begin + 1) lost: \(verdict)")
      }
    }
  }
}
