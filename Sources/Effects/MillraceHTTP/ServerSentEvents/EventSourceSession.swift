import Foundation
import MillraceEffects

/// The state of one stream of server-sent events over all of its connections. Decides the next step.
struct EventSourceSession {
  enum Next: Equatable {
    case connect(after: Duration)
    case close(EventSourceEnd)
  }

  private let source: EventSourceRequest
  private var parser: ServerSentEventParser
  private var retry: Duration?
  private var end: EventSourceEnd?
  /// The number of the next attempt. It restarts at each event.
  private(set) var attempt = 1

  init(_ source: EventSourceRequest) {
    self.source = source
    parser = ServerSentEventParser(lastEventID: source.lastEventID, largestEvent: source.largestEvent)
  }

  /// The request of the next connection.
  var request: HTTPRequest {
    var request = source.request
    request.acceptedStatuses = 200...200
    request.largestBody = .max
    if request.headers["accept"] == nil { request.headers["accept"] = "text/event-stream" }
    if request.headers["cache-control"] == nil { request.headers["cache-control"] = "no-store" }
    if !parser.lastEventID.isEmpty { request.headers["last-event-id"] = parser.lastEventID }
    return request
  }

  /// The head of an answer has arrived. Returns whether to read events.
  mutating func headArrived(_ head: HTTPResponse) -> Bool {
    parser = ServerSentEventParser(lastEventID: parser.lastEventID, largestEvent: source.largestEvent)
    let type = head.headers["content-type"]
    let essence = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    if essence != "text/event-stream" { end = .notAnEventStream(contentType: type) }
    return end == nil
  }

  /// Bytes of the stream have arrived. Returns the events that they complete.
  mutating func bytesArrived(_ bytes: Data) -> [ServerSentEvent] {
    let events = parser.received(bytes)
    if !events.isEmpty { attempt = 1 }
    if let milliseconds = parser.retryMilliseconds {
      retry = min(.milliseconds(milliseconds), TimerLimits.longestWait)
    }
    if parser.isOverfull { end = .eventTooLarge(limit: source.largestEvent) }
    return events
  }

  /// Whether to continue to read events.
  var isOpen: Bool { end == nil }

  /// The connection has ended, normally or with a failure.
  mutating func connectionEnded(_ failure: HTTPFailure?) -> Next {
    if let end { return .close(end) }
    switch failure {
    case .statusNotAccepted(status: 204, _, _): return .close(.finished)
    case .some(let failure) where !failure.isTransient: return .close(.failed(failure))
    default: break
    }
    attempt += 1
    return .connect(after: delay(after: failure))
  }

  private func delay(after failure: HTTPFailure?) -> Duration {
    var backoff = source.backoff
    if let retry {
      // The first delay is lengthened, so that jitter cannot make it shorter than the server's delay.
      let left = 1 - min(max(backoff.jitter, 0), 0.9)
      backoff.first = left < 1 ? retry / left : retry
      backoff.cap = max(backoff.first, backoff.cap)
    }
    // Jitter differs between streams. Streams that a server ends together do not all return together, even if the
    // server gives a delay.
    let wait = backoff.spread(over: source).delay(before: attempt, atLeast: failure?.retryDelay)
    let delay = max(wait, source.shortestDelay)
    return min(delay, TimerLimits.longestWait)
  }
}
