import MillraceEffects

/// A stream of server-sent events that the state asks for.
///
/// ```swift
/// let prices = EventSourceRequest(HTTPRequest("https://example.org/prices"))
/// ```
///
/// Changing anything of it is to ask for another stream. Which event was the last is known to the effect: leave
/// `lastEventID` as it was when the stream was first asked for.
public struct EventSourceRequest: Hashable, Sendable {
  /// What is asked for, on each connection anew. Its timeout is how long the server may take to begin its answer;
  /// its largest body and its accepted statuses do not count.
  public var request: HTTPRequest
  /// The identifier of the last event that was seen before, such as in an earlier run of the program; empty for none.
  public var lastEventID: String
  /// How long to wait before connecting again. A server that says how long takes the place of the first delay, which
  /// jitter then makes longer instead of shorter. Unless there is a seed, jitter differs between requests; no connection is made before what a `Retry-After` of it says.
  public var backoff: Backoff
  /// The shortest time to wait before connecting again, whatever the server says.
  public var shortestDelay: Duration
  /// How long a server may be silent once it has begun, before the connection is made again; `nil` for any time.
  /// Choose more than the interval at which it sends comments to keep the connection alive.
  public var idleTimeout: Duration?
  /// The largest event that is read, in bytes.
  public var largestEvent: Int

  /// Makes a request: by default one that waits some 3 seconds at first, some 60 at most and never less than half a
  /// second, for events of 1 MiB at most.
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
