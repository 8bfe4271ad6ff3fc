import Millrace
import MillraceEffects
import MillraceSpelling

/// The reason why a WebSocket could not be opened, or why its connection was given up.
///
/// ``http(_:)`` contains failures before the server agrees to the protocol: an unknown host, TLS, a proxy, a status
/// other than 101.
@nonexhaustive public enum WebSocketFailure: Error, Hashable, Sendable {
  /// The address is not an absolute `ws` or `wss` address with a host, or its port is out of range. The associated
  /// value is the address without credentials.
  case badURL(String)
  /// There is no connection, or the server answered the handshake as an HTTP request. The excerpt of a status that was
  /// not accepted is empty.
  case http(HTTPFailure)
  /// The server answered 101 but showed that it does not use the protocol, or chose something that was not offered.
  case notAWebSocket(String)
  /// The server broke a rule of RFC 6455. The connection was closed with code 1002.
  case protocolViolation(String)
  /// A text or the reason of a close frame is not UTF-8. The connection was closed with code 1007.
  case invalidText
  /// A message is larger than the request allows, in bytes. The connection was closed with code 1009.
  case messageTooLarge(limit: Int)
  /// A message has more fragments than are accepted. The connection was closed with code 1009.
  case tooManyFragments(limit: Int)
  /// The connection ended without a close frame. Messages that were sent may not have been received.
  case cutOff
  /// The server sent nothing for longer than the request allows, not even an answer to a ping.
  case silent

  /// Whether a new connection may succeed, because the cause was the network, the time or the server's load. The effect
  /// connects again only after such a failure.
  public var isTransient: Bool {
    switch self {
    case .http(let failure): failure.isTransient
    case .cutOff, .silent: true
    case .badURL, .notAWebSocket, .protocolViolation, .invalidText, .messageTooLarge, .tooManyFragments:
      false
    }
  }

  /// The code with which the connection is closed because of this failure; `nil` if it cannot or need not be closed.
  var closeCode: Int? {
    switch self {
    case .protocolViolation: WebSocketClose.Code.protocolError
    case .invalidText: WebSocketClose.Code.invalidText
    case .messageTooLarge, .tooManyFragments: WebSocketClose.Code.tooLarge
    case .badURL, .http, .notAWebSocket, .cutOff, .silent: nil
    }
  }
}

extension WebSocketFailure: CustomStringConvertible, CustomReflectable {
  /// A mirror that shows the description only.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: [description], displayStyle: .enum) }

  /// The failure in one line, without secrets.
  public var description: String {
    switch self {
    case .badURL(let url): "not a valid ws or wss address: \(Spelling.visible(Redaction.address(url)))"
    case .http(let failure): failure.description
    case .notAWebSocket(let words): "the server does not speak WebSocket: \(Spelling.visible(words))"
    case .protocolViolation(let words): "the server breaks the rules: \(Spelling.visible(words))"
    case .invalidText: "a text of the server is not UTF-8"
    case .messageTooLarge(let limit): "a message is larger than \(limit) bytes"
    case .tooManyFragments(let limit): "a message has more than \(limit) fragments"
    case .cutOff: "the connection was cut; what was sent last may not have been received"
    case .silent: "the server is silent"
    }
  }
}

extension WebSocketFailure: RetryAfterProviding {
  /// The delay that the `Retry-After` field of a refused handshake demands.
  public var retryDelay: Duration? {
    if case .http(let failure) = self { failure.retryDelay } else { nil }
  }
}

extension WebSocketFailure: BareCases {
  package static let bareCases: [Self: String] = [
    .invalidText: "invalidText", .cutOff: "cutOff", .silent: "silent",
  ]
}
