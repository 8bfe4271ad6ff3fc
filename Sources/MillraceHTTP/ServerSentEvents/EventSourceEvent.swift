/// What an ``EventSourceEffect`` sends.
///
/// ```swift
/// case .feed(.received(let event, from: _)): state.prices.append(event.data)
/// case .feed(.status(let status, of: _)): state.isLive = status == .open
/// ```
public enum EventSourceEvent: Hashable, Sendable {
  /// The connection has another status.
  case status(EventSourceStatus, of: EventSourceRequest)
  /// The server has sent an event.
  case received(ServerSentEvent, from: EventSourceRequest)

  /// The request that this is about.
  public var request: EventSourceRequest {
    switch self {
    case .status(_, let request), .received(_, let request): request
    }
  }
}

/// How a stream of server-sent events stands.
public enum EventSourceStatus: Hashable, Sendable {
  /// A connection is being made. `attempt` is 1 for the first, and 2 for the one after a connection that has brought
  /// an event; each connection that brings none adds one.
  case connecting(attempt: Int)
  /// The server has answered; events may come.
  case open
  /// There is no connection, and another is made when `delay` is over. `failure` is why the last one ended; `nil` if
  /// the server ended it in good order.
  case waiting(delay: Duration, after: HTTPFailure?)
  /// There is no connection and none will be made. It stays so until the request differs.
  case closed(EventSourceEnd)
}

/// Why a stream of server-sent events has ended for good.
public enum EventSourceEnd: Hashable, Sendable {
  /// The server has no more to say: it answered with 204.
  case finished
  /// The failure is not one that passes: the address, or a status such as 404.
  case failed(HTTPFailure)
  /// What the server sends is of another type than `text/event-stream`; `nil` if it does not say which.
  case notAnEventStream(contentType: String?)
  /// An event was larger than the request allows, in bytes. Those before it were sent.
  case eventTooLarge(limit: Int)
}
