import MillraceHTTP
import Testing

/// Streams and what they mean by the HTML standard, read in parts of every size.
@Suite struct ServerSentEventParserTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var events: [ServerSentEvent]
    var lastEventID = ""
    var retry: Int?
    var testDescription: String { name }

    init(
      _ name: String, _ text: String, _ events: [ServerSentEvent], lastEventID: String = "", retry: Int? = nil
    ) {
      self.init(name, bytes: Array(text.utf8), events, lastEventID: lastEventID, retry: retry)
    }

    init(
      _ name: String, bytes: [UInt8], _ events: [ServerSentEvent], lastEventID: String = "", retry: Int? = nil
    ) {
      (self.name, self.bytes, self.events) = (name, bytes, events)
      (self.lastEventID, self.retry) = (lastEventID, retry)
    }
  }

  private static func event(_ data: String, _ type: String = "message", id: String = "") -> ServerSentEvent {
    ServerSentEvent(type: type, data: data, lastEventID: id)
  }

  static let samples = [
    Sample(
      "the standard's stock quotes", "data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
    Sample(
      "the standard's four blocks",
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [event("first event", id: "1"), event("second event"), event(" third event")]),
    Sample("the standard's empty data", "data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
    Sample("the standard's optional space", "data:test\n\ndata: test\n\n", [event("test"), event("test")]),
    Sample(
      "kinds of events", "event: add\ndata: 1\n\nevent: remove\ndata: 2\n\ndata: 3\n\n",
      [event("1", "add"), event("2", "remove"), event("3")]),
    Sample(
      "the three line ends", "data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\n",
      "abcd".map { event("\($0)") }),
    Sample("line ends in a mixture", "data: a\r\ndata: b\rdata: c\n\r\n", [event("a\nb\nc")]),
    Sample("an end in the middle", "data: a\n\ndata: b\n", [event("a")]),
    Sample("an end in the middle of a line end", "data: a\r\n\r", [event("a")]),
    Sample("comments and unknown fields", ":\n: x\nfoo: 1\nData: x\n data: x\ndata: a\n:\n\n", [event("a")]),
    Sample("a colon in the data", "data: a: b\ndata::\n\n", [event("a: b\n:")]),
    Sample(
      "an event without data", "event: add\nid: 7\n\ndata: a\n\n", [event("a", id: "7")], lastEventID: "7"),
    Sample("the last of two kinds", "event: x\nevent: y\ndata: a\n\n", [event("a", "y")]),
    Sample("an empty kind", "event:\ndata: a\n\nevent: x\nevent\ndata: b\n\n", [event("a"), event("b")]),
    Sample(
      "identifiers last until another comes", "id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\n",
      [event("a", id: "1"), event("b", id: "1"), event("c", id: "2")], lastEventID: "2"),
    Sample(
      "an identifier of an incomplete event", "id: 1\ndata: a\n\nid: 2\ndata: b\n", [event("a", id: "1")],
      lastEventID: "1"),
    Sample(
      "an identifier with a null", "id: 1\nid: a\0b\ndata: a\n\n", [event("a", id: "1")], lastEventID: "1"),
    Sample("a time to wait", "retry: 2500\n\nretry: 1x\nretry: -1\nretry:\nretry: 1.5\n", [], retry: 2_500),
    Sample("a time to wait that no number holds", "retry: 99999999999999999999999\n", [], retry: .max),
    Sample("a byte order mark", "\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
    Sample("a byte order mark alone", "\u{FEFF}\ndata: a\n\n", [event("a")]),
    Sample("two byte order marks", "\u{FEFF}\u{FEFF}data: a\ndata: b\n\n", [event("b")]),
    Sample(
      "characters of several bytes", "event: ü\nid: 雪\ndata: 👩‍👧 é\n\n", [event("👩‍👧 é", "ü", id: "雪")],
      lastEventID: "雪"),
    Sample(
      "bytes that are no text", bytes: Array("data: a".utf8) + [0xFF, 0xC3] + Array("\ndata: b\n\n".utf8),
      [event("a\u{FFFD}\u{FFFD}\nb")]),
    Sample("nothing", "", []),
    Sample("empty lines", "\n\r\n\r\r\n\n", []),
  ]

  /// Reads `bytes` cut before each of `cuts`.
  private func read(_ bytes: [UInt8], cutAt cuts: [Int]) -> (ServerSentEventParser, [ServerSentEvent]) {
    var parser = ServerSentEventParser()
    var events: [ServerSentEvent] = []
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
      events += parser.received(bytes[start..<end])
    }
    return (parser, events)
  }

  @Test("a stream read as a whole means what the standard says", arguments: samples)
  func whole(sample: Sample) {
    let (parser, events) = read(sample.bytes, cutAt: [])
    #expect(events == sample.events)
    #expect(parser.lastEventID == sample.lastEventID)
    #expect(parser.retryMilliseconds == sample.retry)
    #expect(!parser.isOverfull)
  }

  @Test("however a stream is cut into two, three or single bytes, it means the same", arguments: samples)
  func cut(sample: Sample) {
    let whole = read(sample.bytes, cutAt: [])
    let count = sample.bytes.count
    var cuts = [Array(0..<count)]
    for first in 0...count {
      cuts.append([first])
      for second in first...count { cuts.append([first, second]) }
    }
    for cut in cuts {
      let (parser, events) = read(sample.bytes, cutAt: cut)
      guard events == whole.1, parser == whole.0 else {
        Issue.record("cut at \(cut) it gives \(events)")
        return
      }
    }
  }

  @Test(
    "each of the ways to cut a short stream gives the same",
    arguments: [
      "data:a\r\n\r\nid:1\r\r", "\u{FEFF}id:é\ndata\n\r\n", "retry:1\r\n:\r\n\r\n",
    ])
  func everyCut(text: String) {
    let bytes = Array(text.utf8)
    let whole = read(bytes, cutAt: [])
    for mask in 0..<(1 << (bytes.count - 1)) {
      let cut = (1..<bytes.count).filter { mask >> ($0 - 1) & 1 == 1 }
      let (parser, events) = read(bytes, cutAt: cut)
      guard events == whole.1, parser == whole.0 else {
        Issue.record("cut at \(cut) it gives \(events)")
        return
      }
    }
  }

  @Test("a simpler reader, which needs the whole stream at once, finds the same in all short streams")
  func allShortStreams() {
    let alphabet = Array("\n\r: a".utf8)
    var streams: [[UInt8]] = [[]]
    for _ in 0..<6 { streams = streams.flatMap { stream in alphabet.map { stream + [$0] } } }
    for stream in streams {
      let bytes = Array("data".utf8) + stream + Array("\ndata\n\n".utf8)
      let (_, events) = read(bytes, cutAt: Array(1..<bytes.count))
      guard events.map(\.data) == Self.data(in: bytes) else {
        Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription) gives \(events)")
        return
      }
    }
  }

  /// The data of the events in a stream, read the simplest way.
  private static func data(in bytes: [UInt8]) -> [String] {
    var lines: [String] = [""]
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 10 where index > 0 && bytes[index - 1] == 13: break
      case 10, 13: lines.append("")
      default: lines[lines.count - 1].unicodeScalars.append(UnicodeScalar(byte))
      }
    }
    return lines.dropLast().split(separator: "").compactMap { block in
      let values = block.compactMap { line -> Substring? in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == "data" else { return nil }
        let value = parts.count > 1 ? parts[1] : ""
        return value.first == " " ? value.dropFirst() : value
      }
      return values.isEmpty ? nil : values.joined(separator: "\n")
    }
  }

  @Test("an event of the largest size is read, a larger one is not, nor what follows it")
  func tooLarge() {
    var parser = ServerSentEventParser(largestEvent: 10)
    #expect(parser.received("data: 1234\n\ndata:12345\n\n".utf8).map(\.data) == ["1234", "12345"])
    #expect(!parser.isOverfull)
    #expect(parser.received("data: a\n\ndata: 12\ndata:\n\ndata: b\n\n".utf8).map(\.data) == ["a"])
    #expect(parser.isOverfull)
    #expect(parser.received("data: c\n\n".utf8).isEmpty)
  }

  @Test("a stream of comments alone does not become too large")
  func comments() {
    var parser = ServerSentEventParser(largestEvent: 10)
    for _ in 0..<100 { #expect(parser.received(": alive\n\n".utf8).isEmpty) }
    #expect(!parser.isOverfull)
  }

  @Test("a new connection goes on with the identifier of the last one")
  func resumed() {
    var parser = ServerSentEventParser(lastEventID: "7")
    #expect(parser.received("data: a\n\n".utf8) == [Self.event("a", id: "7")])
  }
}
