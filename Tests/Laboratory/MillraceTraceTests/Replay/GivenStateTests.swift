import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceTrace

@Suite("A given state stands for the first state of a recording alone", .timeLimit(.minutes(10)))
struct GivenStateTests {
  /// Encoded as a number, and decoded only where that is asked for.
  struct Sum: Encodable, Hashable, Sendable {
    var total: Int
    func encode(to encoder: any Encoder) throws { try total.encode(to: encoder) }
  }

  private static let header =
    #"{"millrace-trace":1,"program":"p","pid":1,"store":"S","state":"S","action":"A","start":1.0,"redactions":[],"part":1}"#

  /// Adds one with each of the given actions. In front of action 4 is a gap, if any.
  private static func recording(hasGap: Bool) -> TraceMemory {
    var lines = [header, #"{"s":0,"t":0,"p":7,"live":[],"connected":[]}"#]
    for number in 1...6 {
      if hasGap, number == 4 {
        lines.append(#"{"g":5,"details":0,"t":3}"#)
        lines.append(#"{"s":8,"t":3,"p":115,"live":[],"connected":[]}"#)
      }
      let sequence = hasGap && number > 3 ? number + 5 : number
      lines.append(#"{"a":\#(sequence),"t":\#(number),"p":1,"at":"m.swift:1"}"#)
      if !hasGap, number == 4 { lines.append(#"{"s":4,"t":4,"p":11}"#) }
    }
    let memory = TraceMemory()
    memory.append(Array(lines.map { $0 + "\n" }.joined().utf8))
    return memory
  }

  private static func replay(hasGap: Bool) throws -> Replay<Int, Int> {
    try Replay(
      of: recording(hasGap: hasGap), from: 7, reduce: { (state: inout Int, step: Int) in state += step })
  }

  private static func undecoded(hasGap: Bool) throws -> Replay<Sum, Int> {
    try Replay(
      of: recording(hasGap: hasGap), from: Sum(total: 7),
      reduce: { (state: inout Sum, step: Int) in state.total += step })
  }

  private static func filled<State>(_ replay: Replay<State, Int>) throws -> [UInt64: String] {
    let folder = try TemporaryFolder()
    try replay.fill(to: folder.file("filled"))
    let text = try TraceText(contentsOf: folder.file("filled"))
    return Dictionary(text.snapshots.map { ($0.sequence, $0.state.text) }) { _, last in last }
  }

  @Test("the state after any action is that of the program, whatever snapshots are before it")
  func states() throws {
    for sequence in 0...6 as ClosedRange<UInt64> {
      #expect(try Self.replay(hasGap: false).state(at: sequence) == 7 + Int(sequence))
      #expect(try Self.undecoded(hasGap: false).state(at: sequence).total == 7 + Int(sequence))
    }
    #expect(try Self.replay(hasGap: false).lastState() == 13)
    #expect(try Self.undecoded(hasGap: false).lastState().total == 13)
    let all = Dictionary(uniqueKeysWithValues: (0...6).map { (UInt64($0), "\(7 + $0)") })
    #expect(try Self.filled(Self.replay(hasGap: false)) == all)
    #expect(try Self.filled(Self.undecoded(hasGap: false)) == all)
    #expect(try Self.replay(hasGap: false).verdict().isSame)
    #expect(try Self.undecoded(hasGap: false).verdict().isSame)
  }

  @Test("behind a gap the state is what was recorded")
  func gap() throws {
    let replay = try Self.replay(hasGap: true)
    #expect(replay.verdict().isSame, "\(replay.verdict())")
    #expect(try replay.lastState() == 118)
    #expect(try [0, 3, 8, 9].map { try replay.state(at: $0) } == [7, 10, 115, 116])
    #expect(throws: TraceFailure.self) { try replay.state(at: 5) }
    #expect(
      try Self.filled(replay) == [0: "7", 1: "8", 2: "9", 3: "10", 8: "115", 9: "116", 10: "117", 11: "118"])
  }

  @Test("behind a gap, a state that cannot be decoded is an error, and not the given one")
  func undecodable() throws {
    let replay = try Self.undecoded(hasGap: true)
    guard case .doesNotDecode(7, let kinds) = replay.verdict() else {
      Issue.record("\(replay.verdict())")
      return
    }
    #expect("\(kinds)".contains("Sum is not Decodable"))
    #expect(try replay.state(at: 3).total == 10)
    #expect(throws: TraceFailure("5 events behind the last snapshot are missing")) { try replay.lastState() }
    #expect(throws: TraceFailure.self) { try replay.state(at: 8) }
    #expect(throws: TraceFailure("a snapshot does not decode: Sum is not Decodable")) {
      _ = try Self.filled(replay)
    }
  }

  @Test("a recording that began late has its recorded state, or none")
  func late() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: 0) { (state: inout Int, step: Int) in state += step }
    await store.send(5)
    let recording = try store.record(to: .memory(memory))
    await store.send(2)
    try await recording.finish()
    let replay = try Replay(of: memory, from: 0, reduce: { (state: inout Int, step: Int) in state += step })
    #expect(replay.verdict().isSame, "\(replay.verdict())")
    #expect(try replay.lastState() == 7)
  }
}
