/// An event of a ``WebSocketEffect``.
///
/// ```swift
/// case .socket(.received(.text(let text), from: _)):
///   guard let acknowledged = Int(text) else { break }
///   state.unacknowledged.removeAll { $0.number <= acknowledged }
/// case .socket(.status(let status, of: _)): state.isLive = status.isOpen
/// ```
public enum WebSocketEvent: Hashable, Sendable {
  /// The status of the connection has changed.
  case status(WebSocketStatus, of: WebSocketRequest)
  /// The server has sent a message.
  case received(WebSocketMessage, from: WebSocketRequest)
  /// The message with this number was passed to the system. It is unknown whether the server has received it.
  case sent(Int, over: WebSocketRequest)

  /// The request of this event, without its outgoing messages.
  public var request: WebSocketRequest {
    switch self {
    case .status(_, let request), .received(_, let request), .sent(_, let request): request
    }
  }
}

/// The status of a WebSocket.
public enum WebSocketStatus: Hashable, Sendable {
  /// The effect is connecting. `attempt` is 1 for the first connection and 2 for the one after a connection over which
  /// the server has sent a message, a ping or a pong. Each connection without any of these increases it by one.
  case connecting(attempt: Int)
  /// The server has agreed, and messages are exchanged. `subprotocol` is the server's choice, if it made one.
  case open(subprotocol: String?)
  /// There is no connection. The effect connects again after `delay`, and then sends the remaining messages again.
  case waiting(delay: Duration, after: WebSocketEnd)
  /// The connection has ended permanently, until the request differs. Remove the request: a request that differs only
  /// in its messages also connects again.
  case closed(WebSocketEnd)

  /// Whether messages are exchanged.
  public var isOpen: Bool {
    if case .open = self { true } else { false }
  }
}

/// The way in which one connection of a WebSocket has ended.
public enum WebSocketEnd: Hashable, Sendable {
  /// The server has closed the connection, with its code and reason. The code is `nil` if it gave none.
  case closedByServer(code: Int?, reason: String)
  /// There was no connection, or it was given up.
  case failed(WebSocketFailure)

  /// Whether the effect connects again. It does so after a transient failure, and after the codes 1001 (going away),
  /// 1011 (internal error), 1012 (restart), 1013 (try again later) and 1014 (bad gateway).
  public var isTransient: Bool {
    switch self {
    case .closedByServer(let code, reason: _): [1001, 1011, 1012, 1013, 1014].contains(code)
    case .failed(let failure): failure.isTransient
    }
  }
}
