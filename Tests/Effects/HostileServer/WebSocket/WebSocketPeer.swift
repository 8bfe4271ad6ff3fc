/// The server's side of a WebSocket, frame by frame, used by the thread of its script alone.
public final class WebSocketPeer {
  /// A frame of the client, without its mask.
  public struct Frame: Sendable, Equatable {
    public var code: UInt8
    public var isFinal: Bool
    public var isMasked: Bool
    public var payload: [UInt8]
  }

  /// A message of the client.
  public struct Message: Sendable, Equatable {
    public var isText: Bool
    public var payload: [UInt8]
    public var fragments: Int
    public var text: String { String(decoding: payload, as: UTF8.self) }
  }

  /// The codes of frames.
  public enum Code {
    public static let continuation: UInt8 = 0
    public static let text: UInt8 = 1
    public static let binary: UInt8 = 2
    public static let close: UInt8 = 8
    public static let ping: UInt8 = 9
    public static let pong: UInt8 = 10
  }

  /// The head of the client's handshake.
  public let head: String
  private let connection: LoopbackConnection
  private var unread: [UInt8] = []
  private var start = 0

  /// Reads the handshake and agrees to it; `nil` if the client went before. `accept` makes the answer to a key.
  public init?(
    _ connection: LoopbackConnection, subprotocol: String? = nil, followedBy bytes: [UInt8] = [],
    accept: (String) -> String
  ) {
    guard let head = connection.readHead() else { return nil }
    (self.head, self.connection) = (head, connection)
    let field = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
    let answer = Self.answer(accept: accept(Self.key(in: head)), fields: field)
    connection.write(Array(answer.utf8) + bytes)
  }

  /// The key that a handshake offers.
  public static func key(in head: String) -> String {
    let name = "sec-websocket-key: "
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name) }
    return String(line?.dropFirst(name.count) ?? "")
  }

  /// An answer that agrees to a handshake.
  public static func answer(accept: String, fields: String = "") -> String {
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n"
  }

  // MARK: Reading

  /// The next frame; `nil` at the end of the connection.
  public func frame() -> Frame? {
    guard let first = take(2) else { return nil }
    var size = Int(first[1] & 127)
    if size > 125 {
      guard let bytes = take(size == 126 ? 2 : 8) else { return nil }
      size = bytes.reduce(0) { $0 << 8 | Int($1) }
    }
    let isMasked = first[1] & 128 != 0
    guard let mask = take(isMasked ? 4 : 0), var payload = take(size) else { return nil }
    if isMasked {
      for index in payload.indices { payload[index] ^= mask[index & 3] }
    }
    return Frame(code: first[0] & 15, isFinal: first[0] & 128 != 0, isMasked: isMasked, payload: payload)
  }

  /// The next message, with its fragments joined; pings in between are answered. `nil` at a close frame or the end.
  public func message() -> Message? {
    var message: Message?
    while let frame = frame() {
      switch frame.code {
      case Code.close: return nil
      case Code.ping: send(Code.pong, frame.payload)
      case Code.pong: break
      default:
        if frame.code != Code.continuation {
          message = Message(isText: frame.code == Code.text, payload: [], fragments: 0)
        }
        message?.payload += frame.payload
        message?.fragments += 1
        if frame.isFinal { return message }
      }
    }
    return nil
  }

  /// Reads until the client closes or goes. Returns the code of its close frame; `nil` if it sent none.
  public func closeCode() -> Int? {
    while let frame = frame() {
      guard frame.code == Code.close else { continue }
      return frame.payload.count < 2 ? 1005 : Int(frame.payload[0]) << 8 | Int(frame.payload[1])
    }
    return nil
  }

  private func take(_ count: Int) -> [UInt8]? {
    while unread.count - start < count {
      let more = connection.readSome()
      guard !more.isEmpty else { return nil }
      if start > 1 << 20 {
        unread.removeFirst(start)
        start = 0
      }
      unread += more
    }
    defer { start += count }
    return Array(unread[start..<start + count])
  }

  // MARK: Writing

  /// A frame as a server writes it, without a mask.
  public static func frame(_ code: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    var bytes = [code | (isFinal ? 128 : 0)]
    switch payload.count {
    case ...125: bytes.append(UInt8(payload.count))
    case ...65_535: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default:
      bytes.append(127)
      bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: payload.count >> $0) }
    }
    return bytes + payload
  }

  /// The frames of a message, cut at random places, with pings in between.
  public static func fragments(
    _ payload: [UInt8], isText: Bool, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var (rest, code) = (payload[...], isText ? Code.text : Code.binary)
    while true {
      let count = Int.random(in: 0...max(8, rest.count), using: &random)
      let part = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      let isFinal = rest.isEmpty && Bool.random(using: &random)
      bytes += frame(code, part, isFinal: isFinal)
      if isFinal { return bytes }
      code = Code.continuation
      if Int.random(in: 0..<8, using: &random) == 0 { bytes += frame(Code.ping, [1, 2, 3]) }
    }
  }

  /// Sends bytes as they are.
  public func write(_ bytes: [UInt8]) { connection.write(bytes) }

  /// Sends a frame.
  public func send(_ code: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) {
    connection.write(Self.frame(code, payload, isFinal: isFinal))
  }

  /// Sends a text.
  public func send(_ text: String) { send(Code.text, Array(text.utf8)) }

  /// Closes with a code.
  public func close(_ code: Int, _ reason: String = "") {
    send(Code.close, [UInt8(code >> 8), UInt8(code & 255)] + reason.utf8)
  }
}
