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

/// A file that is kept up to date.
@Suite struct MirrorExamples {
  // UsingHTTP, a file that is kept up to date
  struct Mirror: Equatable, Sendable {
    var downloads: Set<HTTPDownloadRequest> = []
    var known: HTTPValidator?
    var checks = 0
    var isGone = false
    var problem: String?
  }

  enum MirrorAction: Sendable {
    case checkDue
    case download(HTTPDownloadEvent)
  }

  static func reduce(_ state: inout Mirror, _ action: MirrorAction) {
    switch action {
    // UsingHTTP, a file that is kept up to date
    case .checkDue:
      state.checks += 1
      let page = HTTPRequest("https://example.org/map", known: state.known, attempt: state.checks)
      state.downloads = [HTTPDownloadRequest(page, to: "/home/me/map", resumes: true)]
    case .download(.progressed): break
    case .download(.finished(let response, received: _, of: let download)):
      state.downloads.remove(download)
      if !response.isNotModified { state.known = response.validator }
    case .download(.failed(.loading(.statusNotAccepted(status: 404, headers: _, excerpt: _)), of: _)):
      (state.downloads, state.isGone) = ([], true)
    case .download(.failed(let failure, of: let download)):
      state.downloads.remove(download)
      state.problem = "\(failure)"
    }
  }

  @Test("the next check tells the server the version that is there")
  func checks() throws {
    var state = Mirror()
    Self.reduce(&state, .checkDue)
    let first = try #require(state.downloads.first)
    #expect(first.request.known == nil)
    let found = HTTPResponse(headers: ["etag": "\"v1\""])
    Self.reduce(&state, .download(.finished(found, received: 3, of: first)))
    #expect(state.downloads.isEmpty)
    Self.reduce(&state, .checkDue)
    let second = try #require(state.downloads.first)
    #expect(second.request.known == HTTPValidator(entityTag: "\"v1\""))
    Self.reduce(&state, .download(.finished(HTTPResponse(status: 304), received: 0, of: second)))
    #expect(state.known == HTTPValidator(entityTag: "\"v1\""))
    Self.reduce(&state, .checkDue)
    let gone = HTTPDownloadFailure.loading(.statusNotAccepted(status: 404, headers: [:], excerpt: ""))
    Self.reduce(&state, .download(.failed(gone, of: second)))
    #expect(state.isGone)
  }
}

@Suite struct SocketExamples {
  // WebSocketEffect
  struct Shop: Equatable, Sendable {
    var isOpen = false
    var isLive = false
    var lastNumber = 0
    var unacknowledged: [WebSocketOutgoing] = []
    var sockets: Set<WebSocketRequest> {
      isOpen ? [WebSocketRequest("wss://example.org/orders", outgoing: unacknowledged)] : []
    }
  }

  enum ShopAction: Sendable {
    case opened(Bool)
    case ordered(String)
    case socket(WebSocketEvent)
  }

  static func reduce(_ state: inout Shop, _ action: ShopAction) {
    switch action {
    case .opened(let isOpen): state.isOpen = isOpen
    // WebSocketEffect
    case .ordered(let item):
      state.lastNumber += 1
      let text = "\(state.lastNumber) \(item)"
      state.unacknowledged.append(WebSocketOutgoing(state.lastNumber, .text(text)))
    case .socket(.received(.text(let text), from: _)):
      guard let acknowledged = Int(text) else { break }
      state.unacknowledged.removeAll { $0.number <= acknowledged }
    case .socket(.status(let status, of: _)): state.isLive = status.isOpen
    case .socket: break
    }
  }

  @Test("the socket is asked for while the shop is open, with the orders that are not acknowledged")
  func orders() async throws {
    let store = Store(initialState: Shop(), on: .immediate, reduce: Self.reduce)
    // WebSocketEffect
    store.connect(WebSocketEffect(), to: \.sockets, action: ShopAction.socket, longRunning: true)
    store.dispatch(.ordered("tea"))
    store.dispatch(.ordered("rice"))
    #expect(store.state.sockets.isEmpty)
    var state = store.state
    await store.shutdown()
    Self.reduce(&state, .opened(true))
    let socket = try #require(state.sockets.first)
    #expect(socket.outgoing.map(\.message) == [.text("1 tea"), .text("2 rice")])
    Self.reduce(&state, .socket(.status(.open(subprotocol: nil), of: socket.withoutOutgoing)))
    Self.reduce(&state, .socket(.received(.text("1"), from: socket.withoutOutgoing)))
    #expect(state.isLive && state.unacknowledged.map(\.number) == [2])
    #expect(WebSocketEffect().id(of: socket) == socket.withoutOutgoing)
  }

  @Test("requests are plain data")
  func requests() {
    // WebSocketOutgoing
    let order = WebSocketOutgoing(7, .text("buy 12"))
    // WebSocketRequest
    var orders = WebSocketRequest("wss://example.org/orders", subprotocols: ["orders.1"])
    orders.headers["authorization"] = "Bearer 1f0a"
    orders.outgoing = [order]
    #expect("\(orders)" == "wss://example.org/orders with 1 to send")
  }
}
