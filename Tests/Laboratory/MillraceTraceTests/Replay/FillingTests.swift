import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceTrace

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
      Shop.reduce(&state, try ValueDecoder.decode(Shop.Action.self, from: json))
      let expected = try ValueEncoder.encode(state, Redactor([]))
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
