/// An event of an ``EventSourceEffect``.
///
/// ```swift
/// case .feed(.received(let event, from: _)): state.prices.append(event.data)
/// case .feed(.status(let status, of: _)): state.isLive = status == .open
/// ```
public enum EventSourceEvent: Hashable, Sendable {
  /// The status of the connection has changed.
  case status(EventSourceStatus, of: EventSourceRequest)
  /// The server has sent an event.
  case received(ServerSentEvent, from: EventSourceRequest)

  /// The request of this event.
  public var request: EventSourceRequest {
    switch self {
    case .status(_, let request), .received(_, let request): request
    }
  }
}

/// The status of a stream of server-sent events.
public enum EventSourceStatus: Hashable, Sendable {
  /// The effect is connecting. `attempt` is 1 for the first connection and 2 for the one after a connection that has
  /// delivered an event. Each connection that delivers none increases it by one.
  case connecting(attempt: Int)
  /// The server has answered, and may send events.
  case open
  /// There is no connection. The effect connects again after `delay`. `failure` is the reason why the last connection
  /// ended; `nil` if the server closed it normally.
  case waiting(delay: Duration, after: HTTPFailure?)
  /// The stream has ended permanently, until the request differs.
  case closed(EventSourceEnd)
}

/// The reason why a stream of server-sent events has ended permanently.
public enum EventSourceEnd: Hashable, Sendable {
  /// The server answered with 204: it has no more events.
  case finished
  /// A failure that is not transient, such as an invalid address or the status 404.
  case failed(HTTPFailure)
  /// The content type is not `text/event-stream`; `nil` if the server sends none.
  case notAnEventStream(contentType: String?)
  /// An event was larger than the request allows, in bytes. The events before it were sent.
  case eventTooLarge(limit: Int)
}
