/// Frames of HTTP/2 (RFC 9113), made by hand, so that nothing keeps them from being wrong.
enum HTTP2 {
  enum Kind: UInt8 {
    case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
  }

  enum Flag {
    static let endStream: UInt8 = 1
    static let acknowledged: UInt8 = 1
    static let endHeaders: UInt8 = 4
    static let padded: UInt8 = 8
  }

  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  static func frame(
    _ kind: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = [], length: Int? = nil
  ) -> [UInt8] {
    let length = length ?? payload.count
    return [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags]
      + number(stream) + payload
  }

  static func number(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Fields as HPACK literals that enter no table, and are not compressed.
  static func fields(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { name, value in [0] + text(Array(name.utf8)) + text(Array(value.utf8)) }
  }

  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
    var size: [UInt8] = [127]
    var rest = bytes.count - 127
    while rest >= 128 {
      size.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return size + [UInt8(rest)] + bytes
  }
}

/// A connection that has begun to speak HTTP/2, used by the thread of its script alone.
public struct HTTP2Connection {
  let connection: LoopbackConnection

  @discardableResult
  func send(
    _ kind: HTTP2.Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = [], length: Int? = nil
  ) -> Bool {
    connection.write(HTTP2.frame(kind.rawValue, flags: flags, stream: stream, payload, length: length))
  }

  @discardableResult
  func sendHead(
    _ stream: UInt32, _ fields: [(String, String)], ends: Bool = false, flags: UInt8 = HTTP2.Flag.endHeaders
  ) -> Bool {
    send(
      .headers, flags: flags | (ends ? HTTP2.Flag.endStream : 0), stream: stream, HTTP2.fields(fields))
  }

  @discardableResult
  func sendBody(_ stream: UInt32, _ text: String, ends: Bool = true) -> Bool {
    send(.data, flags: ends ? HTTP2.Flag.endStream : 0, stream: stream, Array(text.utf8))
  }

  func answer(_ stream: UInt32, _ body: String) {
    sendHead(stream, [(":status", "200"), ("content-length", "\(body.utf8.count)")])
    sendBody(stream, body)
  }

  func reset(_ stream: UInt32, _ code: UInt32) { send(.reset, stream: stream, HTTP2.number(code)) }

  func goAway(last: UInt32, _ code: UInt32, _ words: String = "") {
    send(.goAway, HTTP2.number(last) + HTTP2.number(code) + Array(words.utf8))
  }

  /// The stream of the next request; `nil` if the client goes. Settings and pings are acknowledged meanwhile.
  func nextRequest() -> UInt32? {
    while true {
      let head = connection.read(9)
      guard head.count == 9 else { return nil }
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      let payload = connection.read(length)
      guard payload.count == length else { return nil }
      let stream = head[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
      switch HTTP2.Kind(rawValue: head[3]) {
      case .headers: return stream
      case .settings where head[4] & HTTP2.Flag.acknowledged == 0:
        send(.settings, flags: HTTP2.Flag.acknowledged)
      case .ping where head[4] & HTTP2.Flag.acknowledged == 0:
        send(.ping, flags: HTTP2.Flag.acknowledged, payload)
      default: break
      }
    }
  }
}
