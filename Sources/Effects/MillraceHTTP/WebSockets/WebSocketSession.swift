import Foundation

/// The state of one connection of a WebSocket. Decides the steps after each event.
struct WebSocketSession {
  enum Step: Equatable {
    /// Write these bytes after all earlier ones.
    case write([UInt8])
    case opened(subprotocol: String?)
    case received(WebSocketMessage)
    /// The message with this number was passed to the system.
    case sent(Int)
  }

  private enum Phase {
    case connecting, handshake, open
    /// A close frame was sent, or nothing can be sent. Only the end of the connection follows.
    case closing
  }

  /// The number of bytes that may wait for the system before the next frame is made.
  static let window = 64 << 10

  /// How the connection ended or is about to end; `nil` if it continues, or ends because it is no longer asked for.
  private(set) var end: WebSocketEnd?
  /// Whether the server has sent anything except a close frame.
  private(set) var wasUsed = false
  /// Whether to cut the connection, since nothing else is to come.
  private(set) var isOver = false

  private var handshake: WebSocketHandshake
  private var reader: WebSocketReader
  private var outbox: WebSocketOutbox
  private var masks: any RandomNumberGenerator & Sendable
  private var phase = Phase.connecting
  private var queued = 0
  private var written = 0
  private var marks: [(end: Int, number: Int)] = []
  private var pong: [UInt8]?
  private var wasHeard = false
  private var quietTicks = 0

  /// - Parameter masks: must be unpredictable, so that no server can choose the bytes on the wire. Tests use a seeded
  ///   generator.
  init(
    _ request: WebSocketRequest, masks: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) throws(WebSocketFailure) {
    var masks = masks
    let key = (0..<16).map { _ in UInt8(truncatingIfNeeded: masks.next()) }
    self.masks = masks
    handshake = try WebSocketHandshake(request, key: key)
    reader = WebSocketReader(largestMessage: request.largestMessage)
    outbox = WebSocketOutbox(request)
  }

  /// The address to connect to.
  var address: HTTPAddress { handshake.address }

  /// Whether the connection is closing, which has a limited time.
  var isClosing: Bool { phase == .closing }

  /// Whether the system has not taken all bytes to send.
  var isWriting: Bool { written < queued }

  /// Whether messages are exchanged.
  var isOpen: Bool { phase == .open }

  // MARK: Events

  /// The connection is made.
  mutating func connected() -> [Step] {
    phase = .handshake
    return [write(handshake.bytes)]
  }

  /// The next bytes of the server have arrived.
  mutating func received(_ bytes: [UInt8]) -> [Step] {
    switch phase {
    case .connecting: return []
    case .open: return readFrames(bytes)
    case .closing:
      _ = reader.received(bytes)
      return []
    case .handshake:
      switch handshake.received(bytes) {
      case .goOn: return []
      case .fail(let failure):
        gaveUp(.failed(failure))
        return []
      case .open(let subprotocol, let rest):
        phase = .open
        return [.opened(subprotocol: subprotocol)] + fill() + readFrames(rest)
      }
    }
  }

  /// The program asks for other messages.
  mutating func changed(_ outgoing: [WebSocketOutgoing]) -> [Step] {
    outbox.changed(outgoing)
    return fill()
  }

  /// The system has taken this number of bytes in total.
  mutating func wrote(_ total: Int) -> [Step] {
    written = total
    let count = marks.prefix { $0.end <= total }.count
    let steps = marks.prefix(count).map { Step.sent($0.number) }
    marks.removeFirst(count)
    return steps + fill()
  }

  /// Half of the longest silence has passed again.
  mutating func ticked() -> [Step] {
    guard phase == .open else { return [] }
    defer { wasHeard = false }
    guard !wasHeard else {
      quietTicks = 0
      return []
    }
    quietTicks += 1
    if quietTicks == 1 { return [writeFrame(.ping, [])] }
    gaveUp(.failed(.silent))
    return []
  }

  /// The time for connecting and the handshake has passed.
  mutating func timedOut() {
    if phase == .connecting || phase == .handshake { gaveUp(.failed(.http(.timedOut))) }
  }

  /// The connection is no longer asked for.
  mutating func stopped() -> [Step] {
    switch phase {
    case .connecting, .handshake:
      phase = .closing
      isOver = true
      return []
    case .open: return close(WebSocketClose(WebSocketClose.Code.normal))
    case .closing: return []
    }
  }

  /// The connection has ended, by the server or with a failure of the system.
  mutating func ended(_ failure: HTTPFailure?) {
    isOver = true
    switch phase {
    case .connecting, .handshake: end = .failed(.http(failure ?? .cutOff(received: 0, expected: nil)))
    case .open:
      if let failure, failure != .cutOff(received: 0, expected: nil) {
        end = .failed(.http(failure))
      } else {
        end = .failed(.cutOff)
      }
    case .closing: break
    }
    phase = .closing
  }

  // MARK: Steps

  private mutating func readFrames(_ bytes: [UInt8]) -> [Step] {
    if !bytes.isEmpty { wasHeard = true }
    var steps: [Step] = []
    for item in reader.received(bytes) where phase == .open {
      switch item {
      case .message(let message):
        wasUsed = true
        steps.append(.received(message))
      case .ping(let payload):
        wasUsed = true
        pong = payload
        steps += fill()
      case .pong: wasUsed = true
      case .close(let close):
        end = .closedByServer(code: close.code, reason: close.reason)
        steps += self.close(WebSocketClose(close.code))
      }
    }
    if phase == .open, let failure = reader.failure {
      end = .failed(failure)
      steps += close(WebSocketClose(failure.closeCode))
    }
    return steps
  }

  /// Makes frames while there is room for them. Of several pings that were not answered, the last one is answered:
  /// section 5.5.3.
  private mutating func fill() -> [Step] {
    var steps: [Step] = []
    while phase == .open, queued - written < Self.window {
      if let payload = pong.take() {
        steps.append(writeFrame(.pong, payload))
      } else if let part = outbox.next() {
        steps.append(writeFrame(part.kind, isFinal: part.isFinal, part.payload))
        if part.isFinal { marks.append((queued, part.number)) }
      } else {
        break
      }
    }
    return steps
  }

  private mutating func close(_ close: WebSocketClose) -> [Step] {
    defer { phase = .closing }
    return [writeFrame(.close, close.payload)]
  }

  private mutating func gaveUp(_ end: WebSocketEnd) {
    self.end = end
    isOver = true
    phase = .closing
  }

  private mutating func writeFrame(
    _ kind: WebSocketFrame.Kind, isFinal: Bool = true, _ payload: some Collection<UInt8>
  ) -> Step {
    let mask = UInt32(truncatingIfNeeded: masks.next())
    return write(WebSocketFrame.whole(kind, isFinal: isFinal, mask: mask, payload))
  }

  private mutating func write(_ bytes: [UInt8]) -> Step {
    queued += bytes.count
    return .write(bytes)
  }
}
