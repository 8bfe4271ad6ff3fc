import Foundation
import Millrace
import SampleProgram
import TestSupport
import Testing

@testable import MillraceTrace

#if os(Linux) || os(macOS)
@Suite("A program that is killed leaves its recording")
struct KillTests {
  /// Starts the probe, kills it at a random moment, and reads what it left.
  ///
  /// - Returns: the last number that it said to be flushed, and its recording.
  private static func kill(_ kind: String, _ seed: UInt64) throws -> (flushed: UInt64, text: TraceText) {
    let folder = try TemporaryFolder(isInMemory: true)
    var random = SeededGenerator(seed: seed)
    let process = Program(name: "traceprobe").process([kind, folder.file("trace")])
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var said = Data()
    let lines = Int.random(in: 1...200, using: &random)
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      said += data
    }
    Foundation.kill(process.processIdentifier, SIGKILL)
    said += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let whole = said.prefix(through: said.lastIndex(of: UInt8(ascii: "\n")) ?? said.startIndex)
    let last = String(decoding: whole, as: UTF8.self).split(separator: "\n").last
    let flushed = last.flatMap { UInt64($0) } ?? 0
    let text = try TraceText(Array(try folder.read("trace")))
    // It may have been killed while the recording went on in a new file.
    if text.snapshots.isEmpty, folder.names.contains("trace.1") {
      return (flushed, try TraceText(Array(try folder.read("trace.1"))))
    }
    return (flushed, text)
  }

  /// How many times each is killed; the whole number with `MILLRACE_SEQUENCES`.
  private static let times = ProcessInfo.processInfo.environment["MILLRACE_SEQUENCES"].flatMap(Int.init) ?? 12

  @Test("each file opens, and nothing is missing that was flushed", arguments: ["file", "ring"])
  func killed(kind: String) async throws {
    for seed in 0..<UInt64(Self.times) {
      let (flushed, text) = try await onOwnThread { try Self.kill(kind, seed) }
      #expect(text.damage == nil, "seed \(seed)")
      let numbers = text.actions.map(\.sequence)
      let last = max(numbers.last ?? 0, text.snapshots.last?.sequence ?? 0)
      #expect(last >= flushed, "seed \(seed)")
      #expect(numbers == numbers.first.map { Array($0..<$0 + UInt64(numbers.count)) } ?? [], "seed \(seed)")
      let memory = TraceMemory()
      memory.append(LineWriter.bytes(of: .header(text.header)))
      for line in text.lines { memory.append(LineWriter.bytes(of: line.line)) }
      let verdict = try Replay(of: memory) { (state: inout [Int], number: Int) in
        state.append(number)
        if state.count > 100 { state.removeFirst(50) }
      }.verdict()
      #expect(verdict.isSame, "seed \(seed): \(verdict)")
    }
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
