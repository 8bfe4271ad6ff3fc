import Foundation
import Testing

@testable import MillraceTrace

@Suite("Lines of a recording")
struct LineTests {
  static let start = RunStart(name: "a\"b", connection: 3, startedBy: 7, request: .json(.string("q")))
  static let header = TraceHeader(
    program: "p", build: "1.2", process: 12, store: "S", state: "S", action: "A", start: 1_700_000_000.25,
    redactions: ["token"], part: 2, every: 64)
  static let connected = SnapshotLine.Connected(number: 1, name: "n", site: "F:1")
  static let all: [TraceLine] = [
    .header(header),
    .action(
      ActionLine(
        sequence: 1, time: 2, payload: .json(.object([JSON.Field("x", .null)])),
        cause: CauseFields(site: "F:1"))),
    .action(
      ActionLine(
        sequence: LineReader.largestNumber, time: 0, payload: .text("text\nof two"), givenKind: ".kind",
        cause: CauseFields(site: "F:1", run: 4, startedBy: 5), duration: 6)),
    .run(RunLine(generation: 1, time: 2, event: .start(start))),
    .run(RunLine(generation: 1, time: 2, event: .handOver(.text("x")))),
    .run(RunLine(generation: 1, time: 2, event: .finish, reduced: 3)),
    .run(RunLine(generation: 1, time: 2, event: .answer(by: 3), reduced: 0)),
    .run(RunLine(generation: 1, time: 2, event: .withdraw(by: 3), reduced: 0)),
    .run(RunLine(generation: 1, time: 2, event: .disconnect, reduced: 1)),
    .run(RunLine(generation: 1, time: 2, event: .fail(error: "e"), reduced: 1)),
    .run(RunLine(generation: 1, time: 2, event: .returned(fenced: 2))),
    .turnedAway(
      TurnedAwayLine(fate: "fenced", time: 1, payload: .text("x"), cause: CauseFields(site: "F:1", run: 2))),
    .connection(ConnectionLine(connection: connected, isConnected: true, time: 1)),
    .updated(connection: 1, sequence: 2, time: 3),
    .wait(WaitLine(generation: 1, number: 2, time: 3, reason: "a slot")),
    .wait(WaitLine(generation: 1, number: 2, time: 4)),
    .snapshot(SnapshotLine(sequence: 1, time: 1, state: .json(.array([])))),
    .snapshot(
      SnapshotLine(
        sequence: 1, time: 1, state: .text("s"),
        whole: LiveTable(
          runs: [
            SnapshotLine.Live(generation: 1, start: start, time: nil, isStopping: true, isBehind: true),
            SnapshotLine.Live(generation: 2, start: start, time: 1, isStopping: false, isBehind: false),
            SnapshotLine.Live(
              generation: 3, start: start, time: 1, isStopping: false, isBehind: false, handed: 7),
          ],
          connections: [
            connected,
            SnapshotLine.Connected(number: 2, name: "m", site: "F:1", slice: "s"),
          ]))),
    .gap(GapLine(time: 1, lost: 2, details: 1)), .closing(time: 2),
    .note(NoteLine(kind: "mark", text: "x", time: 1)), .end(time: 3),
  ]

  static func read(_ bytes: [UInt8]) throws -> TraceLine {
    try LineReader.read(bytes, in: 0..<bytes.count - 1)
  }

  @Test("each kind of line survives", arguments: all)
  func roundTrip(_ line: TraceLine) throws {
    let bytes = LineWriter.bytes(of: line)
    #expect(bytes.last == UInt8(ascii: "\n"))
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try Self.read(bytes) == line)
  }

  @Test("no changed bit of a line goes unnoticed", arguments: all)
  func flipped(_ line: TraceLine) throws {
    let bytes = LineWriter.bytes(of: line)
    let mark = try #require(String(decoding: bytes, as: UTF8.self).range(of: ",\"#\":"))
    let text = String(decoding: bytes, as: UTF8.self)
    let content = text.utf8.distance(from: text.startIndex, to: mark.lowerBound)
    for index in 0..<content {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        #expect(throws: LineReader.Failure.self) { try Self.read(changed) }
      }
    }
  }

  @Test("a line that a person wrote needs no checksum, and one of a later version is passed over")
  func foreign() throws {
    let text = "{\"u\":1,\"a\":2,\"t\":3}\n"
    #expect(try Self.read(Array(text.utf8)) == .updated(connection: 1, sequence: 2, time: 3))
    #expect(try Self.read(Array("{\"new\":1}\n".utf8)) == .unknown)
  }

  @Test(
    "the case of an action is read from its payload",
    arguments: [
      ("{\"plain\":{}}", ".plain"), ("{\"search\":{\"_0\":{\"arrived\":{\"_0\":[1]}}}}", ".search(.arrived)"),
      ("{\"a\":{\"_0\":1,\"_1\":2}}", ".a"), ("{\"a\":{\"_0\":1}}", ".a"), ("3", "3"), ("{}", "{}"),
    ])
  func kinds(_ text: String, _ kind: String) throws {
    #expect(ActionLine.kind(of: .json(try JSONReader.read(text))) == kind)
  }
}
