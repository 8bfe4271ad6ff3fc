import Foundation
import Millrace
import MillraceTrace
import TestSupport
import Testing

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
    let memory = TraceMemory(texts: lines)
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

@Suite("A recording is filled with its states", .timeLimit(.minutes(10)))
struct FillingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The states of a recording, as text, after the actions of these numbers.
  private func states(_ text: TraceText) -> [UInt64: String] {
    Dictionary(text.snapshots.map { ($0.sequence, $0.state.text) }) { _, last in last }
  }

  @Test(
    "the states of a filled recording are those of one that has them all, and its other lines are the same")
  func filled() async throws {
    let memory = try await ReplayTests.session(every: 64)
    let path = folder.file("filled")
    let replay = try Replay<Shop.State, Shop.Action>(of: memory, reduce: Shop.reduce)
    try replay.fill(to: path)
    let filled = try TraceText(contentsOf: path)
    let sparse = try TraceText(memory.bytes)
    #expect(filled.damage == nil)
    #expect(
      filled.lines.map(\.line).filter { !$0.isSnapshot } == sparse.lines.map(\.line).filter { !$0.isSnapshot }
    )
    var state = Shop.State()
    for action in filled.actions {
      guard case .json(let json) = action.payload else { continue }
      Shop.reduce(&state, try decoded(Shop.Action.self, from: json))
      let expected = try encoded(state)
      #expect(states(filled)[action.sequence] == expected.text, "after action \(action.sequence)")
    }
    #expect(states(sparse).count < filled.actions.count)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
  }

  @Test("behind a gap there are no states before the next snapshot")
  func gap() async throws {
    let memory = try await ReplayTests.session(every: 64)
    var lines = String(decoding: memory.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { $0.hasPrefix("{\"a\":3,") })
    lines.remove(at: first)
    try folder.write(Data((lines.joined(separator: "\n") + "\n").utf8), to: "gap")
    let replay = try Replay<Shop.State, Shop.Action>(of: folder.file("gap"), reduce: Shop.reduce)
    try replay.fill(to: folder.file("filled"))
    let numbers = Set(states(try TraceText(contentsOf: folder.file("filled"))).keys)
    #expect(numbers.isSuperset(of: [0, 1, 2]) && !numbers.contains(4))
  }

  @Test("a recording that does not decode and a file that cannot be written are refused")
  func refused() async throws {
    enum Other: Decodable { case none }
    let memory = try await ReplayTests.session()
    #expect(throws: TraceFailure.self) {
      try Replay<Shop.State, Other>(of: memory) { _, _ in }.fill(to: folder.file("filled"))
    }
    #expect(throws: TraceFailure.self) {
      try Replay<Shop.State, Shop.Action>(of: memory, reduce: Shop.reduce).fill(to: "/no/such/file")
    }
  }
}

extension TraceLine {
  fileprivate var isSnapshot: Bool { if case .snapshot = self { true } else { false } }
}
