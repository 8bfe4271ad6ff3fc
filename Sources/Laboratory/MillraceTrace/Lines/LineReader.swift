/// Reads lines of a recording.
package enum LineReader {
  /// Why a line cannot be read.
  package typealias Failure = TraceFailure

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
      throw Failure("is no JSON: \(error)")
    }
    guard let keys = json.fields, let first = keys.first else {
      throw Failure("is no JSON object with fields")
    }
    let fields = Fields(json: json)
    let number = try fields.numberIfAny("l")
    if number != nil || json["#"] != nil, !isChecked(bytes, range, keys.last) {
      throw Failure("differs from its checksum")
    }
    if let last, let number, number != last + 1 {
      throw Failure("has number \(number) behind number \(last): lines are missing, or moved")
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
    return UInt64(checksum(of: bytes[range.lowerBound..<range.upperBound - end.count])) == sum
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
          sequence: try actionNumber(), time: try number("t"), payload: try payload(),
          givenKind: try textIfAny("k"), cause: try cause(), duration: try numberIfAny("d")))
    case "r": return .run(try run())
    case "f":
      return .turnedAway(
        TurnedAwayLine(
          fate: try text("f"), time: try number("t"), payload: try payload(), givenKind: try textIfAny("k"),
          cause: try cause()))
    case "c":
      return .connection(
        ConnectionLine(
          connection: try connected(), isConnected: try required("on", \.bool), time: try number("t")))
    case "u":
      return .updated(connection: try number("u"), sequence: try number("a"), time: try number("t"))
    case "w":
      return .wait(
        WaitLine(
          generation: try number("w"), number: try number("i"), time: try number("t"),
          reason: try textIfAny("x")))
    case "s": return .snapshot(try snapshot())
    case "g":
      return .gap(GapLine(time: try number("t"), lost: try count("g"), details: try count("details")))
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
    let start = try required("start") { json in
      if case .double(let seconds) = json { seconds } else { json.int.map(Double.init) }
    }
    return TraceHeader(
      version: version, program: try text("program"), build: try textIfAny("build"),
      process: json["pid"]?.int ?? 0, store: try text("store"), state: try text("state"),
      action: try text("action"), start: start,
      redactions: (json["redactions"]?.array ?? []).compactMap(\.string),
      part: try number("part"), every: try numberIfAny("every"))
  }

  private func run() throws(Failure) -> RunLine {
    let event: RunLine.Event
    let name = try text("e")
    switch name {
    case "start": event = .start(try start())
    case "hand": event = .handOver(try payload())
    case "finish": event = .finish
    case "answer": event = .answer(by: try number("by"))
    case "withdraw": event = .withdraw(by: try number("by"))
    case "disconnect": event = .disconnect
    case "fail": event = .fail(error: try text("x"))
    case "return": event = .returned(fenced: try count("fenced"))
    default: throw Failure("tells an unknown event of a run, '\(name)'")
    }
    return RunLine(
      generation: try number("r"), time: try number("t"), event: event,
      reduced: try numberIfAny("reduced").map { Int(clamping: $0) })
  }

  private func snapshot() throws(Failure) -> SnapshotLine {
    var line = SnapshotLine(sequence: try number("s"), time: try number("t"), state: try payload())
    if let runs = json["live"]?.array, let connections = json["connected"]?.array {
      line.whole = LiveTable(
        runs: try runs.map { json throws(Failure) in try Fields(json: json).live() },
        connections: try connections.map { json throws(Failure) in try Fields(json: json).connected() })
    }
    return line
  }

  private func live() throws(Failure) -> SnapshotLine.Live {
    SnapshotLine.Live(
      generation: try number("r"), start: try start(), time: try numberIfAny("t"),
      isStopping: flag("stopping"), isBehind: flag("behind"), handed: try numberIfAny("handed"))
  }

  private func connected() throws(Failure) -> SnapshotLine.Connected {
    SnapshotLine.Connected(
      number: try number("c"), name: try text("n"), site: try text("at"), slice: try textIfAny("slice"),
      isInPart: flag("part"))
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

  private func required<Value>(_ key: String, _ read: (JSON) -> Value?) throws(Failure) -> Value {
    guard let value = json[key].flatMap(read) else {
      throw Failure("has no usable field '\(key)'")
    }
    return value
  }

  private func number(_ key: String) throws(Failure) -> UInt64 {
    let number = try required(key, \.uint)
    if number > LineReader.largestNumber {
      throw Failure("has \(number) in '\(key)', more than \(LineReader.largestNumber)")
    }
    return number
  }

  /// Actions are counted from 1.
  private func actionNumber() throws(Failure) -> UInt64 {
    _ = try required("a") { $0.uint == 0 ? nil : $0 }
    return try number("a")
  }

  private func count(_ key: String) throws(Failure) -> Int { Int(clamping: try number(key)) }

  func numberIfAny(_ key: String) throws(Failure) -> UInt64? {
    json[key] == nil ? nil : try number(key)
  }

  private func text(_ key: String) throws(Failure) -> String { try required(key, \.string) }

  private func textIfAny(_ key: String) throws(Failure) -> String? { json[key] == nil ? nil : try text(key) }

  private func flag(_ key: String) -> Bool { json[key]?.bool ?? false }
}
