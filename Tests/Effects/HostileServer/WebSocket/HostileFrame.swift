/// Something that a server must not send over a WebSocket, and the code with which a client closes because of it.
public struct HostileFrame: Sendable, CustomStringConvertible {
  /// The largest message that a client is to accept here, in bytes.
  public static let largestMessage = 1_000

  public let name: String
  public let bytes: [UInt8]
  public let closeCode: Int
  /// How many messages and control frames are right before it.
  public let messagesBefore: Int

  init(_ name: String, _ bytes: [UInt8], code: Int = 1002, after count: Int = 0) {
    (self.name, self.bytes, closeCode, messagesBefore) = (name, bytes, code, count)
  }

  /// The name.
  public var description: String { name }

  private typealias Peer = WebSocketPeer
  private typealias Code = WebSocketPeer.Code

  /// Every one.
  public static let all = firstBytes + masked + sizes + order + texts + closes + large

  /// First bytes with reserved bits or kinds, and control frames in fragments.
  private static let firstBytes = (UInt8.min...UInt8.max).compactMap { byte -> HostileFrame? in
    let isKnown = [0, 1, 2, 8, 9, 10].contains(byte & 15)
    let isRight = byte & 0x70 == 0 && isKnown && (byte & 0x80 != 0 || byte & 15 < 8)
    return isRight ? nil : HostileFrame("first byte \(byte)", [byte, 0])
  }

  private static let masked = [Code.text, Code.binary, Code.close, Code.ping, Code.pong].map { code in
    HostileFrame("masked frame of kind \(code)", [code | 0x80, 0x80, 1, 2, 3, 4])
  }

  private static let sizes = [
    HostileFrame("size of 5 in two bytes", [0x82, 126, 0, 5]),
    HostileFrame("size of 5 in eight bytes", [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 5]),
    HostileFrame("size of 65,535 in eight bytes", [0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255]),
    HostileFrame("negative size", [0x82, 127, 128, 0, 0, 0, 0, 0, 0, 0]),
    HostileFrame("ping of 126 bytes", [0x89, 126, 0, 126]),
    HostileFrame("pong of 65,536 bytes", [0x8A, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    HostileFrame("close of 126 bytes", [0x88, 126, 0, 126]),
  ]

  private static let order = [
    HostileFrame("continuation of nothing", Peer.frame(Code.continuation, [1])),
    HostileFrame("fragment of nothing", Peer.frame(Code.continuation, [1], isFinal: false)),
    HostileFrame(
      "message within a message", Peer.frame(Code.text, [65], isFinal: false) + Peer.frame(Code.text, [65])),
    HostileFrame(
      "continuation after a message", Peer.frame(Code.text, [65]) + Peer.frame(Code.continuation, [65]),
      after: 1),
    HostileFrame(
      "continuation after a ping", Peer.frame(Code.ping, []) + Peer.frame(Code.continuation, []), after: 1),
  ]

  private static let texts =
    [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
      [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFE],
      [0xFF],
      [0x41, 0xF0, 0x9F, 0x98],
    ].enumerated().flatMap { number, bytes -> [HostileFrame] in
      let bytes = bytes.map { UInt8($0) }
      return [
        HostileFrame("broken text \(number)", Peer.frame(Code.text, bytes), code: 1007),
        HostileFrame(
          "broken text \(number) in fragments",
          Peer.frame(Code.text, [], isFinal: false)
            + bytes.flatMap { Peer.frame(Code.continuation, [$0], isFinal: false) }
            + Peer.frame(Code.continuation, []), code: 1007),
        HostileFrame("broken reason \(number)", Peer.frame(Code.close, [3, 0xE8] + bytes), code: 1007),
      ]
    }

  private static let closes =
    [HostileFrame("close with one byte", Peer.frame(Code.close, [3]))]
    + [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map { code in
      HostileFrame("close with code \(code)", Peer.frame(Code.close, [UInt8(code >> 8), UInt8(code & 255)]))
    }

  private static let large = [
    HostileFrame(
      "large message", Peer.frame(Code.binary, Array(repeating: 0, count: largestMessage + 1)), code: 1009),
    HostileFrame("huge message", [0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], code: 1009),
    HostileFrame(
      "large message in fragments",
      Peer.frame(Code.binary, Array(repeating: 0, count: 900), isFinal: false)
        + Peer.frame(Code.continuation, Array(repeating: 0, count: 101)), code: 1009),
    HostileFrame(
      "endless message",
      Peer.frame(Code.text, [], isFinal: false)
        + (0...131_072).flatMap { _ in Peer.frame(Code.continuation, [], isFinal: false) }, code: 1009),
  ]
}
