/// Parses a stream of server-sent events according to section 9.2.6 of the HTML standard, from bytes in parts of any
/// size.
///
/// ```swift
/// var parser = ServerSentEventParser()
/// let events = parser.received("event: price\ndata: 12\n\n".utf8)
/// ```
///
/// A pure value: its results do not depend on how the bytes are split into parts. Use one parser for one connection. An
/// event without an empty line after it is discarded when the connection ends.
public struct ServerSentEventParser: Hashable, Sendable {
  /// The identifier of the last complete event. The next connection sends it.
  public private(set) var lastEventID: String
  /// The delay before the next connection in milliseconds, if the server has given one.
  public private(set) var retryMilliseconds: Int?
  /// Whether an event was larger than allowed. Nothing more is parsed then.
  public private(set) var isOverfull = false

  private let largestEvent: Int
  private var line: [UInt8] = []
  private var hasLines = false
  private var endedByCarriageReturn = false
  private var type = ""
  private var data = ""
  private var hasData = false
  private var size = 0
  private var nextEventID: String

  /// Makes a parser for a new connection.
  ///
  /// - Parameters:
  ///   - lastEventID: the identifier of events until the server gives another one.
  ///   - largestEvent: the largest accepted event in bytes, including its fields and comments.
  public init(lastEventID: String = "", largestEvent: Int = 1 << 20) {
    self.lastEventID = lastEventID
    self.largestEvent = largestEvent
    nextEventID = lastEventID
  }

  /// Parses the next bytes of the stream.
  ///
  /// - Returns: the events that the bytes complete, in order.
  /// - Complexity: O(number of bytes).
  public mutating func received(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes where !isOverfull {
      defer { endedByCarriageReturn = byte == 13 }
      switch byte {
      case 10 where endedByCarriageReturn: break  // the second half of a line end
      case 10, 13: lineEnded(&events)
      default:
        size += 1
        if size > largestEvent { isOverfull = true } else { line.append(byte) }
      }
    }
    return events
  }

  private mutating func lineEnded(_ events: inout [ServerSentEvent]) {
    // No slice is kept: otherwise emptying the line would allocate its whole capacity again.
    let start = !hasLines && line.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    hasLines = true
    if line.count == start {
      eventEnded(&events)
    } else {
      fieldArrived(line[start...])
    }
    line.removeAll(keepingCapacity: true)
  }

  private mutating func fieldArrived(_ content: ArraySlice<UInt8>) {
    let colon = content.firstIndex(of: UInt8(ascii: ":")) ?? content.endIndex
    var value = content[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: content[..<colon], as: UTF8.self) {
    case "event": type = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { data.append("\n") }
      data.append(String(decoding: value, as: UTF8.self))
      hasData = true
    case "id" where !value.contains(0): nextEventID = String(decoding: value, as: UTF8.self)
    case "retry"
    where value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && !value.isEmpty:
      retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? .max
    default: break  // a comment, which begins with a colon, or an unknown field
    }
  }

  private mutating func eventEnded(_ events: inout [ServerSentEvent]) {
    lastEventID = nextEventID
    if hasData {
      let type = type.isEmpty ? "message" : type
      events.append(ServerSentEvent(type: type, data: data, lastEventID: lastEventID))
    }
    type = ""
    data = ""
    hasData = false
    size = 0
  }
}
