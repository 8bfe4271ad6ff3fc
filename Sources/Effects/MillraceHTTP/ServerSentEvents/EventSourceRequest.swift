import MillraceEffects

/// A stream of server-sent events that the state asks for.
///
/// ```swift
/// let prices = EventSourceRequest(HTTPRequest("https://example.org/prices"))
/// ```
///
/// A request with any difference is another stream. The effect keeps track of the last event itself: do not change
/// `lastEventID` after the stream was first asked for.
public struct EventSourceRequest: Hashable, Sendable {
  /// The request that is sent for each connection. Its timeout limits the time until the server begins its answer. Its
  /// largest body and its accepted statuses are ignored.
  public var request: HTTPRequest
  /// The identifier of the last event that was received before, for instance before a restart of the program; empty if
  /// there is none.
  public var lastEventID: String
  /// The delays before connecting again. A delay from the server replaces the first one, and jitter then lengthens it
  /// instead of shortening it. Without a seed, jitter differs between requests. The effect never connects earlier than
  /// a `Retry-After` of the server allows.
  public var backoff: Backoff
  /// The shortest delay before connecting again. The server cannot shorten it.
  public var shortestDelay: Duration
  /// The time for which the server may send nothing before the effect connects again; `nil` for any time. Choose more
  /// than the interval at which the server sends comments to keep the connection open.
  public var idleTimeout: Duration?
  /// The largest accepted event, in bytes.
  public var largestEvent: Int

  /// Makes a request. By default it waits about 3 seconds at first, about 60 at most and never less than half a
  /// second, and accepts events of at most 1 MiB.
  public init(
    _ request: HTTPRequest, lastEventID: String = "",
    backoff: Backoff = Backoff(first: .seconds(3), cap: .seconds(60), jitter: 0.3),
    shortestDelay: Duration = .milliseconds(500), idleTimeout: Duration? = nil, largestEvent: Int = 1 << 20
  ) {
    self.request = request
    self.lastEventID = lastEventID
    self.backoff = backoff
    self.shortestDelay = shortestDelay
    self.idleTimeout = idleTimeout
    self.largestEvent = largestEvent
  }
}
