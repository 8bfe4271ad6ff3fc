import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Against a real server, whose every byte a test decides.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct HTTPClientTests {
  // MARK: Answers

  @Test(
    "a load and a stream give a body that ends as announced, or with its connection, and say how any other fails",
    arguments: [
      (page("hi"), .success("hi")), (page(""), .success("")),
      ("HTTP/1.1 200 OK\r\n\r\nhello", .success("hello")),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        .success("hello")
      ),
      ("HTTP/1.1 204 No Content\r\n\r\n", .success("")),
      ("HTTP/1.1 103 Early Hints\r\n\r\n" + page(), .success("hi")),
      // It is whole where it was announced to end.
      (page() + ", and much more", .success("hi")),
      ("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi", .failure(.cutOff(received: 2, expected: 20))),
      ("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n", .failure(.cutOff(received: 0, expected: 20))),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        .failure(.cutOff(received: 3, expected: nil))
      ),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        .failure(.cutOff(received: 5, expected: nil))
      ),
      ("", .failure(.cutOff(received: 0, expected: nil))),
      (
        "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 100),
        .success(String(repeating: "a", count: 100))
      ),
      ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 101), .failure(.bodyTooLarge(limit: 100))),
      (
        page("later", status: "503 Busy", "Retry-After: 7\r\n"),
        .failure(
          .statusNotAccepted(
            status: 503, headers: ["retry-after": "7", "content-length": "5"], excerpt: "later"))
      ),
      // Of a long unwanted body only the beginning is read, and one that is cut off is told by its status.
      (
        "HTTP/1.1 404 Not Found\r\n\r\n" + String(repeating: "x", count: 1_000_000),
        .failure(.statusNotAccepted(status: 404, headers: [:], excerpt: String(repeating: "x", count: 1_024)))
      ),
      (
        "HTTP/1.1 500 Oh\r\nContent-Length: 50\r\n\r\nno",
        .failure(.statusNotAccepted(status: 500, headers: ["content-length": "50"], excerpt: "no"))
      ),
      (
        page("", status: "302 Elsewhere"),
        .failure(.statusNotAccepted(status: 302, headers: ["content-length": "0"], excerpt: ""))
      ),
    ] as [(String, Result<String, HTTPFailure>)])
  func answers(answer: String, expected: Result<String, HTTPFailure>) async throws {
    let server = try LoopbackServer(answering: { _ in answer })
    let client = HTTPClient.untimed()
    let request = HTTPRequest(server.url(), timeout: nil, largestBody: 100)
    let loaded = await Result.of(request, through: client)
    #expect(loaded.map { String(decoding: $0.body, as: UTF8.self) } == expected)
    let taken = await TakenStream.take(request, through: client)
    let body = String(decoding: taken.body, as: UTF8.self)
    #expect(taken.outcome?.map { _ in body } == expected)
    #expect(taken.parts.allSatisfy { !$0.isEmpty })
    switch expected {
    case .success:
      #expect(try taken.outcome?.get() == taken.heads[0])
      #expect(try taken.lengths == [loaded.get().headers["content-length"].flatMap { Int($0) }])
    // What came before the end is handed over, and no more than is allowed; of what is not accepted, nothing.
    case .failure(.cutOff(let received, _)): #expect(body.count == received)
    case .failure(.bodyTooLarge(let limit)): #expect(body.count <= limit)
    case .failure: #expect(taken.heads.isEmpty && taken.parts.isEmpty)
    }
    #expect(client.exchangesUnderWay == 0)
    try await server.allClosed()
  }

  @Test("an answer that is not HTTP is told as such", arguments: ["-5", "abc", "", nil])
  func notHTTP(length: String?) async throws {
    let answer =
      length.map { "HTTP/1.1 200 OK\r\nContent-Length: \($0)\r\n\r\nhi" } ?? "SSH-2.0-OpenSSH_9.2\r\n\r\n"
    #expect(try await outcome(answer: answer).ending == .malformed)
  }

  @Test(
    "a connection that is reset is cut off", arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n"])
  func reset(answer: String) async throws {
    let outcome = try await outcome(script: { connection in
      _ = connection.readHead()
      connection.write(answer)
      connection.reset()
    })
    // Whether the head was read before the reset came is the network's affair.
    guard case .failure(.cutOff(received: 0, _)) = outcome else {
      Issue.record("not cut off: \(outcome)")
      return
    }
  }

  @Test("an answer to HEAD, or that nothing has changed, has a length and no body, and is whole")
  func bodiless() async throws {
    let head = try await outcome(answer: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n") {
      $0.method = "HEAD"
    }
    .get()
    #expect(head.body.isEmpty && head.headers["content-length"] == "20")
    let same = try await outcome(answer: "HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\n\r\n") {
      $0.acceptedStatuses = 200...399
    }.get()
    #expect(same.status == 304)
  }

  @Test("a version that is still the same is an answer to who knows it")
  func notModifiedForKnown() async throws {
    let heads = Recorder<String>()
    let server = try LoopbackServer(noting: heads) { head in
      head.lowercased().contains("if-none-match: \"v1\"")
        ? "HTTP/1.1 304 Same\r\nETag: \"v1\"\r\nContent-Length: 20\r\n\r\n" : page("hi", "ETag: \"v1\"\r\n")
    }
    let client = HTTPClient.untimed()
    let first = try await client.load(HTTPRequest(server.url()))
    #expect(!first.isNotModified)
    let second = try await client.load(HTTPRequest(server.url(), known: first.validator))
    #expect(second.isNotModified && second.body.isEmpty)
    #expect(!heads.values[0].lowercased().contains("if-none-match"))
  }

  @Test(
    "a demand for credentials ends as the status that it is",
    arguments: ["WWW-Authenticate: Basic realm=\"x\"\r\n", "WWW-Authenticate: Digest realm=\"x\"\r\n", ""])
  func challenge(field: String) async throws {
    let answer = page("no", status: "401 Who", field)
    #expect(try await outcome(answer: answer).failure?.status == 401)
    #expect(
      try await outcome(answer: answer) { $0.acceptedStatuses = HTTPRequest.anyStatus }.get().status == 401)
  }

  @Test("a coding that the request asks for and the client does not know is left as it is")
  func ownCoding() async throws {
    let answer = page("hi", "Content-Encoding: br\r\n")
    let response = try await outcome(answer: answer) { $0.headers["accept-encoding"] = "br" }.get()
    #expect(response.body == Data("hi".utf8))
    #expect(response.headers["content-encoding"] == "br")
  }

  // MARK: Requests

  @Test("method, header fields and body reach the server")
  func request() async throws {
    let received = Recorder<String>()
    let server = try LoopbackServer { connection in
      received.append(connection.readHead() ?? "")
      received.append(String(decoding: connection.read(5), as: UTF8.self))
      connection.write(page("", status: "201 Created"))
    }
    let request = HTTPRequest(
      server.url("/notes"), method: "PUT", headers: ["X-Tag": "a b"], body: Data("hello".utf8))
    #expect(try await Result.of(request).get().status == 201)
    #expect(received.values[0].hasPrefix("PUT /notes HTTP/1.1\r\n"))
    #expect(received.values[0].lowercased().contains("\r\nx-tag: a b\r\n"))
    #expect(received.values[1] == "hello")
  }

  @Test("an IPv6 address is asked as any other")
  func ipv6() async throws {
    let hosts = Recorder<String>()
    let server = try? LoopbackServer(onIPv6: true) { connection in
      hosts.append(connection.readHead() ?? "")
      connection.write(page())
    }
    guard let server else { return }  // a machine without IPv6
    let response = try await Result.of(HTTPRequest("http://[::1]:\(server.port)/a")).get()
    #expect(response.body == Data("hi".utf8))
    #expect(response.url == "http://[::1]:\(server.port)/a")
    #expect(hosts.values.first?.lowercased().contains("\r\nhost: [::1]:\(server.port)\r\n") == true)
  }

  @Test("a name and a password in the address are sent, and shown nowhere")
  func credentials() async throws {
    let heads = Recorder<String>()
    let server = try LoopbackServer(noting: heads)
    let url = server.url().replacing("http://", with: "http://Aladdin:open%20sesame@")
    #expect(try await Result.of(HTTPRequest(url)).get().url == server.url())
    #expect(heads.values[0].contains("uthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"))
    #expect(!heads.values[0].contains("Aladdin"))
  }

  @Test(
    "what cannot be sent is refused, by a load and a stream",
    arguments: [
      "", "/path", "http://", "http:///path", "ftp://example.org/", "file:///etc/passwd", "a b",
      "http://256.1.1.1/",
    ].map {
      (HTTPRequest($0), HTTPFailure.badURL($0))
    } + [
      (HTTPRequest("http://127.0.0.1:1/", headers: ["a": "b\r\nc: d"]), .badField("a")),
      (HTTPRequest("http://127.0.0.1:1/", method: "GET /"), .badField("GET /")),
    ])
  func unsendable(request: HTTPRequest, failure: HTTPFailure) async {
    #expect(!failure.isTransient)
    #expect(await Result.of(request) == .failure(failure))
    #expect(await TakenStream.take(request).outcome == .failure(failure))
  }

  @Test("a port out of range is a bad address, and says so", arguments: [0, 65_536, 99_999])
  func port(port: Int) async {
    let failure = HTTPFailure.badURL("http://127.0.0.1:\(port)/")
    #expect(await Result.of(HTTPRequest("http://127.0.0.1:\(port)/")) == .failure(failure))
    #expect("\(failure)".contains("its port is not a number from 1 to 65535"))
  }

  @Test("nobody listening is a failure to connect, and a name that nobody knows is told by that name")
  func nobody() async throws {
    let (socket, port) = try LoopbackServer.boundSocket()  // taken, so that no other test can listen on it
    defer { close(socket) }
    #expect(await Result.of(HTTPRequest("http://127.0.0.1:\(port)/")).ending == .nobody)
    #expect(
      await Result.of(HTTPRequest("http://nowhere.invalid/")) == .failure(.hostNotFound("nowhere.invalid")))
  }

  @Test("a server that does not speak TLS is a TLS failure")
  func noTLS() async throws {
    let server = try LoopbackServer { connection in
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.waitForClose()
    }
    let outcome = await Result.of(HTTPRequest(server.url().replacing("http:", with: "https:")))
    #expect(outcome.failure?.isTLS == true, "\(outcome)")
  }

  @Test("a client has no more connections to a host than it may, and the requests beyond wait for one")
  func connectionsPerHost() async throws {
    let (heads, gate) = (Recorder<String>(), ThreadGate())
    let server = try LoopbackServer(noting: heads) { _ in
      gate.wait()
      return page()
    }
    let client = HTTPClient.untimed(connectionsPerHost: 3)
    let loads = (0..<20).map { number in
      Task { try await client.load(HTTPRequest(server.url("/\(number)"), timeout: nil)) }
    }
    try await heads.values(atLeast: 3)
    try await eventually { client.exchangesUnderWay == 20 }
    #expect(heads.count == 3 && server.clientSockets == 3)
    let abandoned = Task { try await client.load(HTTPRequest(server.url("/abandoned"), timeout: nil)) }
    try await eventually { client.exchangesUnderWay == 21 }
    abandoned.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await abandoned.value }
    gate.open()
    for load in loads { #expect(try await load.value.body == Data("hi".utf8)) }
    #expect(server.clientSockets <= 3 && heads.count == 20)
  }

  // MARK: Cancellation

  @Test("cancelling a load closes its connection and is told as such")
  func cancelled() async throws {
    let heads = Recorder<String>()
    let server = try LoopbackServer(noting: heads, pausingAfter: "")
    let client = HTTPClient.untimed()
    let loading = Task { try await client.load(HTTPRequest(server.url())) }
    try await heads.values(atLeast: 1)
    loading.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await loading.value }
    try await server.allClosed()
    #expect(client.exchangesUnderWay == 0)
  }

  @Test("a load or a stream in a task that is cancelled already does not reach the server")
  func cancelledBefore() async throws {
    let connections = Recorder<Bool>()
    let server = try LoopbackServer { _ in connections.append(true) }
    let gate = Gate()
    let loading = Task {
      await gate.waitIgnoringCancellation()
      return [
        await Result.of(HTTPRequest(server.url())), await TakenStream.take(HTTPRequest(server.url())).outcome,
      ]
    }
    loading.cancel()
    gate.open()
    #expect(await loading.value == [.failure(.cancelled), .failure(.cancelled)])
    await server.stop()
    #expect(connections.values.isEmpty)
  }

  @Test("cancelling at any moment of a chain of redirects does no harm")
  func cancelledAmongRedirects() async throws {
    let server = try LoopbackServer(noting: Recorder()) { _ in
      page("", status: "302 Found", "Location: /\r\n")
    }
    let client = HTTPClient.untimed()
    for delay in 0..<60 {
      let loading = Task { try await client.load(HTTPRequest(server.url(), redirects: .follow(atMost: 15))) }
      for _ in 0..<delay * 4 { await Task.yield() }
      loading.cancel()
      let failure = await #expect(throws: HTTPFailure.self) { try await loading.value }
      #expect(
        failure == .cancelled || failure == .tooManyRedirects(limit: 15), "\(String(describing: failure))")
    }
  }

  @Test("a client that goes closes its connections, and no descriptor is left open")
  func noLeaks() async throws {
    let server = try LoopbackServer(noting: Recorder())
    weak var gone: HTTPClient?
    do {
      let client = HTTPClient.untimed()
      gone = client
      for _ in 0..<3 { _ = try await client.load(HTTPRequest(server.url())) }
    }
    await server.connectionsEnded()
    #expect(gone == nil)
  }

  // MARK: Time

  @Test(
    "a server that does not answer, or byte by byte, is given up when the time is over, and the connection is closed",
    arguments: ["", "HTTP/1.1 200 OK\r\n\r\na"])
  func timeout(answer: String) async throws {
    let heads = Recorder<String>()
    let server = try LoopbackServer(noting: heads, pausingAfter: answer)
    let clock = TestClock()
    let client = HTTPClient(clock: clock)
    let loading = Task { try await client.load(HTTPRequest(server.url(), timeout: .seconds(5))) }
    try await heads.values(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await #expect(throws: HTTPFailure.timedOut) { try await loading.value }
    #expect(client.exchangesUnderWay == 0)
    try await server.allClosed()
  }

  @Test("no time at all is over at once, and an absurdly long timeout does not trap")
  func oddTimes() async throws {
    let server = try LoopbackServer { $0.waitForClose() }
    for timeout in [Duration.zero, .seconds(-1)] {
      #expect(await Result.of(HTTPRequest(server.url(), timeout: timeout)) == .failure(.timedOut))
    }
    #expect(try await outcome(answer: page()) { $0.timeout = .seconds(Int64.max) }.get().status == 200)
  }
}
