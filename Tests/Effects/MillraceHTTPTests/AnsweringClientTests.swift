import Foundation
import Millrace
import MillraceHTTP
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

@Suite struct AnsweringClientTests {
  private static let feed = "https://example.org/feed"

  /// The outcome of loading a request whose answer is `response`.
  private func outcome(
    of request: HTTPRequest, answeredBy response: HTTPResponse
  ) async -> Result<HTTPResponse, HTTPFailure> {
    await Result.of(request, through: HTTPClient(clock: TestClock()) { _ in response })
  }

  @Test("without a clock no request is given up, however slow the machine is") func untimed() async throws {
    let client = HTTPClient { _ in
      for _ in 0..<1000 { await Task.yield() }
      return HTTPResponse(body: Data("news".utf8))
    }
    let request = HTTPRequest("https://example.org/", timeout: .nanoseconds(1))
    #expect(try await client.load(request).body == Data("news".utf8))
    #expect(try await client.stream(request) { _ in .goOn }.status == 200)
    await #expect(throws: HTTPFailure.timedOut) {
      let (clock, gate) = (TestClock(), Gate())
      async let loaded = HTTPClient(clock: clock) { _ in
        try await gate.wait()
        return HTTPResponse()
      }.load(request)
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
      _ = try await loaded
    }
  }

  @Test("the closure gets the request that a server would get, and its response has the address")
  func request() async throws {
    let asked = Recorder<HTTPRequest>()
    let client = HTTPClient(clock: TestClock()) { request in
      asked.append(request)
      return HTTPResponse(headers: ["etag": "\"2\""], body: Data("news".utf8), url: "elsewhere")
    }
    let request = HTTPRequest(
      "https://ann:secret@example.org/a b#top", method: "PUT", headers: ["x-key": "7"],
      body: Data("text".utf8), known: HTTPValidator(entityTag: "\"1\""), attempt: 3)
    let response = try await client.load(request)
    #expect(String(decoding: response.body, as: UTF8.self) == "news")
    #expect(response.url == "https://example.org/a%20b#top" && response.headers["etag"] == "\"2\"")
    let served = try #require(asked.values.first)
    #expect(served.url == "https://example.org/a%20b" && served.method == "PUT")
    #expect(served.headers["x-key"] == "7" && served.headers["if-none-match"] == "\"1\"")
    #expect(served.headers["authorization"] == "Basic YW5uOnNlY3JldA==")
    #expect(served.body == Data("text".utf8))
    #expect(client.exchangesUnderWay == 0)
  }

  @Test("statuses, lengths, sizes and codings are checked as those of a server are")
  func checks() async {
    let feed = HTTPRequest(Self.feed)
    let body = Data("0123456789".utf8)
    #expect(
      await outcome(
        of: feed, answeredBy: HTTPResponse(status: 503, headers: ["retry-after": "7"], body: body))
        == .failure(
          .statusNotAccepted(status: 503, headers: ["retry-after": "7"], excerpt: "0123456789")))
    #expect(
      await outcome(of: HTTPRequest(Self.feed, largestBody: 9), answeredBy: HTTPResponse(body: body))
        == .failure(.bodyTooLarge(limit: 9)))
    #expect(
      await outcome(of: feed, answeredBy: HTTPResponse(headers: ["content-length": "11"], body: body))
        == .failure(.cutOff(received: 10, expected: 11)))
    #expect(
      await outcome(of: feed, answeredBy: HTTPResponse(headers: ["content-length": "ten"], body: body))
        == .failure(.notHTTP("its content length is none: ten")))
    #if !canImport(Darwin)  // where the system decodes
    #expect(
      await outcome(of: feed, answeredBy: HTTPResponse(headers: ["content-encoding": "gzip"], body: body))
        == .failure(.undecodable("its gzip code is broken")))
    #endif
    #expect(
      await outcome(of: HTTPRequest("feed"), answeredBy: HTTPResponse()) == .failure(.badURL("feed")))
  }

  @Test("an answer without a body has none, whatever the closure returns")
  func bodiless() async throws {
    let answer = HTTPResponse(headers: ["content-length": "4"], body: Data("news".utf8))
    #expect(
      try await outcome(of: HTTPRequest(Self.feed, method: "HEAD"), answeredBy: answer).get().body.isEmpty)
    var request = HTTPRequest(Self.feed)
    request.known = HTTPValidator(entityTag: "\"1\"")
    var same = answer
    same.status = 304
    let response = try await outcome(of: request, answeredBy: same).get()
    #expect(response.isNotModified && response.body.isEmpty)
  }

  @Test("a redirect is followed to the closure, without the secrets of another server")
  func redirect() async throws {
    let client = HTTPClient(clock: TestClock()) { request in
      if request.url == Self.feed {
        return HTTPResponse(status: 302, headers: ["location": "http://example.net/new"])
      }
      let hasSecret = request.headers["authorization"] != nil
      return HTTPResponse(body: Data("\(request.method) \(request.url) \(hasSecret)".utf8))
    }
    let response = try await client.load(
      HTTPRequest(Self.feed, method: "POST", headers: ["authorization": "token"], body: Data("a".utf8)))
    #expect(String(decoding: response.body, as: UTF8.self) == "GET http://example.net/new false")
    #expect(response.redirectCount == 1 && response.url == "http://example.net/new")
  }

  @Test("a failure that the closure throws is that of the exchange, and any other error is described")
  func failures() async {
    struct Odd: Error {}
    let client = HTTPClient(clock: TestClock()) { request in
      if request.method == "GET" { throw HTTPFailure.hostNotFound("example.org") }
      throw Odd()
    }
    await #expect(throws: HTTPFailure.hostNotFound("example.org")) {
      try await client.load(HTTPRequest(Self.feed))
    }
    await #expect(throws: HTTPFailure.other("Odd()")) {
      try await client.load(HTTPRequest(Self.feed, method: "DELETE"))
    }
  }

  @Test("a timeout is measured on the client's clock, and cancels the closure's task")
  func timeout() async throws {
    let (clock, gate, cancelled) = (TestClock(), Gate(), Recorder<Bool>())
    let client = HTTPClient(clock: clock) { _ in
      try? await gate.wait()
      cancelled.append(Task.isCancelled)
      return HTTPResponse()
    }
    let loading = Task { try await client.load(HTTPRequest(Self.feed, timeout: .seconds(5))) }
    try await gate.waiters(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await #expect(throws: HTTPFailure.timedOut) { try await loading.value }
    #expect(try await cancelled.values(atLeast: 1) == [true])
  }

  @Test("a cancelled exchange ends at once, also where the closure ignores it")
  func cancelled() async throws {
    let gate = Gate()
    let client = HTTPClient(clock: TestClock()) { _ in
      await gate.waitIgnoringCancellation()
      return HTTPResponse()
    }
    let loading = Task { try await client.load(HTTPRequest(Self.feed)) }
    try await gate.waiters(atLeast: 1)
    loading.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await loading.value }
    gate.open()
  }

  @Test("a stream gets its head, and its body as one part")
  func stream() async throws {
    let body = Data(repeating: 7, count: 1 << 20)
    let client = HTTPClient(clock: TestClock()) { _ in HTTPResponse(body: body) }
    var parts: [HTTPStreamPart] = []
    try await client.stream(HTTPRequest(Self.feed)) { part in
      parts.append(part)
      return .goOn
    }
    #expect(parts == [.head(HTTPResponse(url: Self.feed), length: nil), .body(body)])
  }

  @Test("an upload arrives as the body, and reports its progress")
  func upload() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(repeating: 1, count: 100_000), to: "photo")
    let client = HTTPClient(clock: TestClock()) { request in
      HTTPResponse(status: 201, body: Data("\(request.body?.count ?? 0)".utf8))
    }
    let upload = HTTPUploadRequest(HTTPRequest(Self.feed, method: "PUT"), from: folder.file("photo"))
    let outcome = await HTTPUploadEffect(client: client).outcome(of: upload)
    guard case .response(let response, to: upload) = outcome.sent.last else {
      Issue.record("\(outcome)")
      return
    }
    #expect(response.status == 201 && String(decoding: response.body, as: UTF8.self) == "100000")
  }

  private struct Feed: Equatable, Sendable {
    var wanted: Set<HTTPRequest> = []
    var text: String?
  }

  @Sendable private static func reduce(_ feed: inout Feed, _ event: HTTPEvent) {
    feed.wanted = []
    switch event {
    case .response(let response, to: _): feed.text = String(decoding: response.body, as: UTF8.self)
    case .failed(let failure, of: _): feed.text = "\(failure)"
    }
  }

  @Test(
    "a test store waits for the closure, and goes on where the closure waits for the test", arguments: 0..<50)
  func testStore(round: Int) async throws {
    let (clock, gate) = (TestClock(), Gate())
    let client = HTTPClient(clock: clock) { _ in
      for _ in 0..<round { await Task.yield() }
      try await gate.wait()
      for _ in 0..<round { await Task.yield() }
      return HTTPResponse(body: Data("news".utf8))
    }
    let request = HTTPRequest(Self.feed)
    let store = TestStore(
      initialState: Feed(wanted: [request]), serving: .bodies, reduce: Self.reduce
    ) { $0.connect(HTTPEffect(client: client), to: \.wanted) }
    store.timeLimit = patience
    await store.settle()
    #expect(gate.waiterCount == 1)
    gate.open()
    await store.receive(
      .response(HTTPResponse(body: Data("news".utf8), url: Self.feed), to: request)
    ) {
      $0 = Feed(text: "news")
    }
    await store.finish()
  }
}
