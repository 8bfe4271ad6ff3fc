/// Reads lines of a recording.
package enum LineReader {
  /// Why a line cannot be read.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// The largest number in a line. Up to here every JSON reader is exact, and the sum of two numbers does not overflow.
  package static let largestNumber: UInt64 = 1 << 53

  /// Reads a line without its line break.
  package static func read(_ bytes: [UInt8], in range: Range<Int>) throws(Failure) -> TraceLine {
    var last: UInt64?
    return try read(bytes, in: range, after: &last)
  }

  /// Reads a line without its line break.
  ///
  /// - Parameter last: the number of the last numbered line. Lines of the former format, and lines that a person has
  ///   written, have no numbers.
  static func read(
    _ bytes: [UInt8], in range: Range<Int>, after last: inout UInt64?
  ) throws(Failure) -> TraceLine {
    let json: JSON
    do { json = try JSONReader.read(bytes, in: range) } catch {
      throw Failure(description: "is no JSON: \(error)")
    }
    guard let keys = json.fields, let first = keys.first else {
      throw Failure(description: "is no JSON object with fields")
    }
    let fields = Fields(json: json)
    let number = try fields.numberIfAny("l")
    if number != nil || json["#"] != nil, !isChecked(bytes, range, keys.last) {
      throw Failure(description: "differs from its checksum")
    }
    if let last, let number, number != last + 1 {
      throw Failure(description: "has number \(number) behind number \(last): lines are missing, or moved")
    }
    last = number ?? last
    return try fields.line(first.key)
  }

  /// Whether the last field is the checksum of the bytes before it.
  private static func isChecked(_ bytes: [UInt8], _ range: Range<Int>, _ last: JSON.Field?) -> Bool {
    guard let last, last.key == "#", let sum = last.value.uint else { return false }
    let end = Array(",\"#\":\(sum)}".utf8)
    guard range.count > end.count, bytes[..<range.upperBound].suffix(end.count) == end[...] else {
      return false
    }
    var checksum = Checksum()
    checksum.add(bytes[range.lowerBound..<range.upperBound - end.count])
    return UInt64(checksum.value) == sum
  }
}

/// The fields of one line.
private struct Fields {
  typealias Failure = LineReader.Failure

  let json: JSON

  func line(_ first: String) throws(Failure) -> TraceLine {
    switch first {
    case "a":
      return .action(
        ActionLine(
          sequence: try actionNumber("a"), time: try number("t"), payload: try payload(),
          givenKind: try textIfAny("k"),
          cause: try cause(), duration: try numberIfAny("d")))
    case "r": return .run(try run())
    case "f":
      return .turnedAway(
        TurnedAwayLine(
          fate: try text("f"), time: try number("t"), payload: try payload(), givenKind: try textIfAny("k"),
          cause: try cause()))
    case "c":
      return .connection(
        ConnectionLine(
          number: try number("c"), isConnected: try bool("on"), time: try number("t"), name: try text("n"),
          site: try text("at"), isInPart: json["part"]?.bool ?? false))
    case "u":
      return .updated(connection: try number("u"), sequence: try number("a"), time: try number("t"))
    case "w":
      return .wait(
        WaitLine(
          generation: try number("w"), number: try number("i"), time: try number("t"),
          reason: try textIfAny("x"))
      )
    case "s": return .snapshot(try snapshot())
    case "g":
      return .gap(GapLine(time: try number("t"), lost: try count("g"), details: try count("details")))
    case "b": return .batch(count: try count("b"), time: try number("t"))
    case "z": return .closing(time: try number("t"))
    case "n": return .note(NoteLine(kind: try text("n"), text: try text("x"), time: try number("t")))
    case "end": return .end(time: try number("t"))
    case "millrace-trace": return .header(try header())
    default: return .unknown
    }
  }

  private func header() throws(Failure) -> TraceHeader {
    let version = try number("millrace-trace")
    // Of the header of a later version, only the version is known.
    if version != TraceHeader.version {
      return TraceHeader(
        version: version, program: "", process: 0, store: "", state: "", action: "", start: 0, redactions: [],
        part: 1)
    }
    var start: Double?
    switch json["start"] {
    case .double(let seconds): start = seconds
    case .int(let seconds): start = Double(seconds)
    default: break
    }
    guard let start else { throw missing("start") }
    return TraceHeader(
      version: version, program: try text("program"), build: try textIfAny("build"),
      process: json["pid"]?.int ?? 0, store: try text("store"), state: try text("state"),
      action: try text("action"), start: start,
      redactions: (json["redactions"]?.array ?? []).compactMap(\.string),
      part: try number("part"), every: try numberIfAny("every"))
  }

  private func run() throws(Failure) -> RunLine {
    let event: RunLine.Event
    switch try text("e") {
    case "start": event = .start(try start())
    case "hand": event = .handOver(try payload())
    case "finish": event = .finish
    case "answer": event = .answer(by: try number("by"))
    case "withdraw": event = .withdraw(by: try number("by"))
    case "disconnect": event = .disconnect
    case "fail": event = .fail(error: try text("x"))
    case "return": event = .returned(fenced: try count("fenced"))
    default: return try unknownEvent()
    }
    return RunLine(
      generation: try number("r"), time: try number("t"), event: event,
      reduced: try numberIfAny("reduced").map { Int(clamping: $0) })
  }

  private func unknownEvent() throws(Failure) -> RunLine {
    throw Failure(description: "tells an unknown event of a run, '\(try text("e"))'")
  }

  private func snapshot() throws(Failure) -> SnapshotLine {
    var whole: SnapshotLine.Whole?
    if let live = json["live"]?.array, let connected = json["connected"]?.array {
      var read = SnapshotLine.Whole(runs: [], connections: [])
      for json in live {
        let fields = Fields(json: json)
        read.runs.append(
          SnapshotLine.Live(
            generation: try fields.number("r"), start: try fields.start(), time: try fields.numberIfAny("t"),
            isStopping: json["stopping"]?.bool ?? false, isBehind: json["behind"]?.bool ?? false,
            handed: try fields.numberIfAny("handed")))
      }
      for json in connected {
        let fields = Fields(json: json)
        read.connections.append(
          SnapshotLine.Connected(
            number: try fields.number("c"), name: try fields.text("n"), site: try fields.text("at"),
            slice: try fields.textIfAny("slice"), isInPart: json["part"]?.bool ?? false))
      }
      whole = read
    }
    return SnapshotLine(
      sequence: try number("s"), time: try number("t"), state: try payload(), whole: whole)
  }

  private func start() throws(Failure) -> RunStart {
    RunStart(
      name: try text("n"), connection: try number("c"), startedBy: try numberIfAny("by"),
      request: try payload())
  }

  private func cause() throws(Failure) -> CauseFields {
    CauseFields(site: try text("at"), run: try numberIfAny("run"), startedBy: try numberIfAny("by"))
  }

  private func payload() throws(Failure) -> Payload {
    if let json = json["p"] { return .json(json) }
    return .text(try text("x"))
  }

  private func missing(_ key: String) -> Failure { Failure(description: "has no usable field '\(key)'") }

  private func number(_ key: String) throws(Failure) -> UInt64 {
    guard let number = json[key]?.uint else { throw missing(key) }
    if number > LineReader.largestNumber {
      throw Failure(description: "has \(number) in '\(key)', more than \(LineReader.largestNumber)")
    }
    return number
  }

  /// Actions are counted from 1.
  private func actionNumber(_ key: String) throws(Failure) -> UInt64 {
    let number = try number(key)
    if number == 0 { throw missing(key) }
    return number
  }

  private func count(_ key: String) throws(Failure) -> Int { Int(clamping: try number(key)) }

  func numberIfAny(_ key: String) throws(Failure) -> UInt64? {
    json[key] == nil ? nil : try number(key)
  }

  private func text(_ key: String) throws(Failure) -> String {
    guard let text = json[key]?.string else { throw missing(key) }
    return text
  }

  private func textIfAny(_ key: String) throws(Failure) -> String? { json[key] == nil ? nil : try text(key) }

  private func bool(_ key: String) throws(Failure) -> Bool {
    guard let bool = json[key]?.bool else { throw missing(key) }
    return bool
  }
}
