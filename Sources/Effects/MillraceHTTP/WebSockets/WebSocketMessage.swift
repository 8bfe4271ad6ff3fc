import Foundation

/// A message of a WebSocket.
public enum WebSocketMessage: Hashable, Sendable {
  /// A text, sent as UTF-8.
  case text(String)
  /// Bytes.
  case binary(Data)

  /// The size on the wire in bytes, without the headers of its frames. O(1) for bytes and for native strings.
  public var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

/// A message that the state asks to send, with a number of the program's own.
///
/// ```swift
/// let order = WebSocketOutgoing(7, .text("buy 12"))
/// ```
///
/// WebSockets have no acknowledgement. Put the number into the message if the server acknowledges it, or recognises by
/// it a message that it has already received over an earlier connection.
public struct WebSocketOutgoing: Hashable, Sendable {
  /// The number, different for each message of one request. It is not sent.
  public var number: Int
  /// The message.
  public var message: WebSocketMessage

  /// Makes a message with its number.
  public init(_ number: Int, _ message: WebSocketMessage) {
    self.number = number
    self.message = message
  }
}
