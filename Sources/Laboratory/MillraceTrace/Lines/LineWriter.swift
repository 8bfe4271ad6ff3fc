/// Writes lines of a recording as bytes, each with a line break.
package struct LineWriter {
  private var bytes: [UInt8] = []
  private var isFirst = true

  /// - Parameters:
  ///   - number: the number of the line in its file, by which a reader notices a missing line.
  ///   - isChecked: whether the line ends with its checksum.
  package static func bytes(of line: TraceLine, number: UInt64? = nil, isChecked: Bool = true) -> [UInt8] {
    var writer = LineWriter()
    writer.bytes.reserveCapacity(160)
    writer.bytes.append(UInt8(ascii: "{"))
    writer.write(line)
    writer.field("t", line.time)
    writer.field("l", number)
    if isChecked { writer.field("#", UInt64(checksum(of: writer.bytes[...]))) }
    writer.bytes.append(contentsOf: "}\n".utf8)
    return writer.bytes
  }

  private mutating func write(_ line: TraceLine) {
    switch line {
    case .header(let header): write(header)
    case .action(let line):
      field("a", line.sequence)
      field("k", line.givenKind)
      field(line.payload)
      field(line.cause)
      field("d", line.duration)
    case .run(let line): write(line)
    case .turnedAway(let line):
      field("f", line.fate)
      field("k", line.givenKind)
      field(line.payload)
      field(line.cause)
    case .connection(let line):
      field(line.connection)
      field("on", JSON.bool(line.isConnected))
    case .updated(let connection, let sequence, _):
      field("u", connection)
      field("a", sequence)
    case .wait(let line):
      field("w", line.generation)
      field("i", line.number)
      field("x", line.reason)
    case .snapshot(let line): write(line)
    case .gap(let line):
      field("g", UInt64(line.lost))
      field("details", UInt64(line.details))
    case .closing: field("z", JSON.bool(true))
    case .note(let line):
      field("n", line.kind)
      field("x", line.text)
    case .end: field("end", JSON.bool(true))
    case .unknown: break
    }
  }

  private mutating func write(_ header: TraceHeader) {
    field("millrace-trace", header.version)
    field("program", header.program)
    field("build", header.build)
    field("pid", JSON.int(header.process))
    field("store", header.store)
    field("state", header.state)
    field("action", header.action)
    field("start", JSON.double(header.start))
    field("redactions", JSON.array(header.redactions.map(JSON.string)))
    field("part", header.part)
    field("every", header.every)
  }

  private mutating func write(_ line: RunLine) {
    field("r", line.generation)
    field("e", line.event.name)
    switch line.event {
    case .start(let start): field(start)
    case .handOver(let request): field(request)
    case .answer(let action), .withdraw(let action): field("by", action)
    case .fail(let error): field("x", error)
    case .returned(let fenced): field("fenced", UInt64(fenced))
    case .finish, .disconnect: break
    }
    field("reduced", line.reduced.map(UInt64.init))
  }

  private mutating func write(_ line: SnapshotLine) {
    field("s", line.sequence)
    field(line.state)
    guard let whole = line.whole else { return }
    list("live", whole.sortedRuns) { writer, live in
      writer.field("r", live.generation)
      writer.field(live.start)
      writer.field("t", live.time)
      if live.isStopping { writer.field("stopping", JSON.bool(true)) }
      if live.isBehind { writer.field("behind", JSON.bool(true)) }
      writer.field("handed", live.handed)
    }
    list("connected", whole.sortedConnections) { writer, connection in writer.field(connection) }
  }

  // MARK: Fields

  private mutating func name(_ name: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: "\":".utf8)
  }

  private mutating func field(_ name: StaticString, _ value: UInt64?) {
    guard let value else { return }
    self.name(name)
    bytes.append(contentsOf: value.description.utf8)
  }

  private mutating func field(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    JSON.append(value, to: &bytes)
  }

  private mutating func field(_ name: StaticString, _ value: JSON) {
    self.name(name)
    value.append(to: &bytes)
  }

  private mutating func field(_ payload: Payload) {
    switch payload {
    case .json(let json): field("p", json)
    case .text(let text): field("x", text)
    }
  }

  private mutating func field(_ cause: CauseFields) {
    field("run", cause.run)
    field("by", cause.startedBy)
    field("at", cause.site)
  }

  private mutating func field(_ connection: SnapshotLine.Connected) {
    field("c", connection.number)
    field("n", connection.name)
    field("at", connection.site)
    field("slice", connection.slice)
    if connection.isInPart { field("part", JSON.bool(true)) }
  }

  private mutating func field(_ start: RunStart) {
    field("n", start.name)
    field("c", start.connection)
    field("by", start.startedBy)
    field(start.request)
  }

  private mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (inout Self, Element) -> Void
  ) {
    self.name(name)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "{"))
      isFirst = true
      write(&self, element)
      bytes.append(UInt8(ascii: "}"))
    }
    isFirst = false
    bytes.append(UInt8(ascii: "]"))
  }
}

extension RunLine.Event {
  fileprivate var name: String {
    switch self {
    case .start: "start"
    case .handOver: "hand"
    case .finish: "finish"
    case .answer: "answer"
    case .withdraw: "withdraw"
    case .disconnect: "disconnect"
    case .fail: "fail"
    case .returned: "return"
    }
  }
}

/// A 32-bit checksum (FNV-1a) that detects a changed byte.
func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
  bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
}
