import Foundation
import MillraceEffects
import Testing

@testable import MillraceHTTP

@Suite struct EventSourceSessionTests {
  private let source = EventSourceRequest(
    HTTPRequest("http://example.org/"), backoff: Backoff(first: .seconds(1), cap: .seconds(10), jitter: 0))
  private let head = HTTPResponse(headers: ["content-type": "text/event-stream"])
  private let busy = HTTPFailure.statusNotAccepted(status: 503, headers: [:], excerpt: "")

  @Test("each connection that brings no event has the next one wait longer, an event starts over")
  func backoff() {
    var session = EventSourceSession(source)
    var waits: [EventSourceSession.Next] = []
    for failure in [nil, busy, .timedOut, .cutOff(received: 0, expected: nil), .cannotConnect("")] {
      waits.append(session.connectionEnded(failure))
    }
    #expect(waits == [1, 2, 4, 8, 10].map { .connect(after: .seconds($0)) })
    #expect(session.attempt == 6)
    #expect(session.headArrived(head) == true)
    #expect(session.connectionEnded(nil) == .connect(after: .seconds(10)))
    #expect(session.headArrived(head) == true)
    #expect(session.bytesArrived(Data("data: a\n\n".utf8)).count == 1)
    #expect(session.connectionEnded(nil) == .connect(after: .seconds(1)))
    #expect(session.attempt == 2)
  }

  @Test(
    "a server that says how long to wait takes the place of the first delay, also if it is longer than the longest"
  )
  func retry() {
    var session = EventSourceSession(source)
    #expect(session.headArrived(head) == true)
    #expect(session.bytesArrived(Data("retry: 3000\n".utf8)).isEmpty == true)
    #expect(session.connectionEnded(nil) == .connect(after: .seconds(3)))
    #expect(session.connectionEnded(nil) == .connect(after: .seconds(6)))
    #expect(session.headArrived(head) == true)
    #expect(session.bytesArrived(Data("retry: 60000\ndata: a\n\n".utf8)).count == 1)
    #expect(session.connectionEnded(nil) == .connect(after: .seconds(60)))
    #expect(session.connectionEnded(nil) == .connect(after: .seconds(60)))
    #expect(session.headArrived(head) == true)
    #expect(session.bytesArrived(Data("retry: 99999999999999999999\ndata: a\n\n".utf8)).count == 1)
    #expect(session.connectionEnded(nil) == .connect(after: TimerLimits.longestWait))
  }

  @Test(
    "what does not pass ends the stream for good",
    arguments: [
      (.statusNotAccepted(status: 204, headers: [:], excerpt: ""), .finished),
      (
        .statusNotAccepted(status: 404, headers: [:], excerpt: "gone"),
        .failed(.statusNotAccepted(status: 404, headers: [:], excerpt: "gone"))
      ),
      (.badURL("x"), .failed(.badURL("x"))), (.tls("x"), .failed(.tls("x"))),
      (.tooManyRedirects(limit: 3), .failed(.tooManyRedirects(limit: 3))),
    ] as [(HTTPFailure, EventSourceEnd)])
  func closed(failure: HTTPFailure, end: EventSourceEnd) {
    var session = EventSourceSession(source)
    #expect(session.connectionEnded(failure) == .close(end))
  }

  @Test(
    "only an event stream is read, whatever its parameters",
    arguments: [
      ("text/event-stream", true), ("Text/Event-Stream ; charset=utf-8", true), ("text/html", false),
      ("text/event-streams", false), (nil, false),
    ] as [(String?, Bool)])
  func contentType(type: String?, isRead: Bool) {
    var session = EventSourceSession(source)
    var head = HTTPResponse()
    head.headers["content-type"] = type
    #expect(session.headArrived(head) == isRead)
    let next = session.connectionEnded(nil)
    #expect(next == (isRead ? .connect(after: .seconds(1)) : .close(.notAnEventStream(contentType: type))))
  }

  @Test("what is asked for says what is wanted, and what came last, and keeps what the request says")
  func request() {
    var session = EventSourceSession(source)
    #expect(session.request.headers["accept"] == "text/event-stream")
    #expect(session.request.headers["last-event-id"] == nil)
    #expect(session.request.acceptedStatuses == 200...200)
    #expect(session.headArrived(head) == true)
    #expect(session.bytesArrived(Data("id: 7\ndata: a\n\nid: 8\n".utf8)).count == 1)
    #expect(session.request.headers["last-event-id"] == "7")
    #expect(session.headArrived(head) == true)  // 8 belonged to an event that never ended
    #expect(session.bytesArrived(Data("data: b\n\nid\n\n".utf8)).map(\.lastEventID) == ["7"])
    #expect(session.request.headers["last-event-id"] == nil)
    let resumed = EventSourceRequest(
      HTTPRequest("http://example.org/", headers: ["Accept": "x"]), lastEventID: "3")
    #expect(EventSourceSession(resumed).request.headers["last-event-id"] == "3")
    #expect(EventSourceSession(resumed).request.headers["accept"] == "x")
  }

  @Test("an event that is too large ends the stream for good")
  func tooLarge() {
    var source = source
    source.largestEvent = 8
    var session = EventSourceSession(source)
    #expect(session.headArrived(head) == true)
    #expect(session.bytesArrived(Data("data: a\n\ndata: abc\n\n".utf8)).map(\.data) == ["a"])
    #expect(!session.isOpen)
    #expect(session.connectionEnded(nil) == .close(.eventTooLarge(limit: 8)))
  }

  @Test("a server that wants no wait at all does not get that", arguments: ["0", "00", "1", "300"])
  func shortestDelay(retry: String) {
    var session = EventSourceSession(EventSourceRequest(source.request))
    for _ in 0..<3 {
      #expect(session.headArrived(head) == true)
      #expect(session.bytesArrived(Data("retry: \(retry)\ndata: a\n\n".utf8)).count == 1)
      #expect(session.connectionEnded(nil) == .connect(after: .milliseconds(500)))
    }
    var patient = EventSourceRequest(source.request)
    patient.shortestDelay = .seconds(20)
    session = EventSourceSession(patient)
    #expect(session.connectionEnded(nil) == .connect(after: .seconds(20)))
  }

  @Test("jitter is on by default, and never has a connection made before the server wants it")
  func jitter() {
    var source = EventSourceRequest(source.request)
    #expect(source.backoff.jitter > 0)
    for seed in 0..<200 {
      source.backoff.seed = UInt64(seed)
      var session = EventSourceSession(source)
      guard case .connect(after: let delay) = session.connectionEnded(nil) else { return }
      #expect(delay > .seconds(2) && delay <= .seconds(3))
      #expect(session.headArrived(head) == true)
      #expect(session.bytesArrived(Data("retry: 7000\ndata: a\n\n".utf8)).count == 1)
      guard case .connect(after: let wanted) = session.connectionEnded(nil) else { return }
      #expect(wanted >= .seconds(7) && wanted <= .seconds(10))
    }
  }

  @Test("streams without a seed do not come back together, also where a server says when to")
  func spread() {
    func delays(seed: UInt64?) -> Set<Duration> {
      let delays = (0..<50).flatMap { number in
        var other = EventSourceRequest(HTTPRequest("http://example.org/\(number)"))
        other.backoff.seed = seed
        let later = HTTPFailure.statusNotAccepted(status: 503, headers: ["retry-after": "120"], excerpt: "")
        return [nil, later].map { failure in
          var session = EventSourceSession(other)
          guard case .connect(after: let delay) = session.connectionEnded(failure) else {
            return Duration.zero
          }
          #expect(failure == nil || delay >= .seconds(120))
          return delay
        }
      }
      return Set(delays)
    }
    #expect(delays(seed: nil).count > 90)
    #expect(delays(seed: 7).count == 2)
  }

  @Test("no connection is made before a failure says")
  func retryAfter() {
    var session = EventSourceSession(source)
    let later = HTTPFailure.statusNotAccepted(status: 503, headers: ["retry-after": "120"], excerpt: "")
    #expect(session.connectionEnded(later) == .connect(after: .seconds(120)))
    #expect(session.connectionEnded(busy) == .connect(after: .seconds(2)))
    let soon = HTTPFailure.statusNotAccepted(status: 503, headers: ["retry-after": "1"], excerpt: "")
    #expect(session.connectionEnded(soon) == .connect(after: .seconds(4)))
    let never = HTTPFailure.statusNotAccepted(
      status: 503, headers: ["retry-after": "99999999999999999999"], excerpt: "")
    #expect(session.connectionEnded(never) == .connect(after: TimerLimits.longestWait))
  }
}
