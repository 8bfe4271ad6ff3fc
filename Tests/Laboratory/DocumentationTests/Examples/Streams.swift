import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import Testing

@Suite struct StreamExamples {
  struct State: Equatable, Sendable {
    var logs: Set<HTTPRequest> = []
    var films: Set<HTTPDownloadRequest> = []
    var photos: Set<HTTPUploadRequest> = []
    var feeds: Set<EventSourceRequest> = []
    var watched = 0.0
    var prices: [String] = []
    var isLive = false
  }

  enum AppAction: Sendable {
    case log(HTTPStreamEvent)
    case film(HTTPDownloadEvent)
    case photo(HTTPUploadEvent)
    case feed(EventSourceEvent)
  }

  static func reduce(_ state: inout State, _ action: AppAction) {
    switch action {
    // HTTPDownloadEvent
    case .film(.progressed(let progress, of: _)): state.watched = progress.fraction ?? 0
    case .film(.finished(_, received: _, of: let film)): state.films.remove(film)
    case .film(.failed(_, of: let film)): state.films.remove(film)
    // EventSourceEvent
    case .feed(.received(let event, from: _)): state.prices.append(event.data)
    case .feed(.status(let status, of: _)): state.isLive = status == .open
    case .log, .photo: break
    }
  }

  private let store = Store(initialState: State(), on: .immediate, reduce: reduce)

  @Test("streams, downloads and event sources are connected")
  func connecting() async {
    // HTTPStreamEffect
    store.connect(HTTPStreamEffect(), to: \.logs, action: AppAction.log)
    // HTTPDownloadEffect
    store.connect(HTTPDownloadEffect().limited(to: 2), to: \.films, action: AppAction.film)
    // HTTPUploadEffect
    store.connect(HTTPUploadEffect().limited(to: 2), to: \.photos, action: AppAction.photo)
    // EventSourceEffect
    store.connect(EventSourceEffect(), to: \.feeds, action: AppAction.feed, longRunning: true)
    // EventSourceEffect with a breaker
    let breaker = CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
    store.connect(
      EventSourceEffect(breaker: { _ in breaker }), to: \.feeds, action: AppAction.feed, longRunning: true)
    await store.settled()
    #expect(store.activity.entries.count == 5)
  }

  @Test("requests are plain data")
  func requests() {
    // HTTPDownloadRequest
    let film = HTTPDownloadRequest(
      HTTPRequest("https://example.org/film", largestBody: 4 << 30), to: "/home/me/film")
    #expect(HTTPDownloadEffect().id(of: film) == Array("/home/me/film".utf8))
    // HTTPUploadRequest
    let photo = HTTPUploadRequest(
      HTTPRequest("https://example.org/photo", method: "PUT"), from: "/home/me/photo")
    #expect(HTTPUploadEffect().requests(in: [photo]) == [photo])
    // EventSourceRequest
    let prices = EventSourceRequest(HTTPRequest("https://example.org/prices"))
    #expect(EventSourceEffect().requests(in: [prices]) == [prices])
  }

  @Test("reducers take what comes")
  func reducing() {
    let source = EventSourceRequest(HTTPRequest("https://example.org/prices"))
    var state = State()
    Self.reduce(&state, .feed(.status(.open, of: source)))
    Self.reduce(&state, .feed(.received(ServerSentEvent(data: "12"), from: source)))
    #expect(state == State(prices: ["12"], isLive: true))
  }

  @Test("a parser reads events")
  func parsing() {
    // ServerSentEventParser
    var parser = ServerSentEventParser()
    let events = parser.received("event: price\ndata: 12\n\n".utf8)
    #expect(events == [ServerSentEvent(type: "price", data: "12")])
  }

  // Compiled and not called: this touches the network.

  private func lines() async throws -> Int {
    // HTTPClient.stream
    var lines = 0
    try await HTTPClient().stream(HTTPRequest("https://example.org/log", largestBody: .max)) { part in
      if case .body(let bytes) = part { lines += bytes.count { $0 == 10 } }
      return .goOn
    }
    return lines
  }
}
