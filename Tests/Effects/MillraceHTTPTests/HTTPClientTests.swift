import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import Testing

/// Against a real server, whose every byte a test decides.
@Suite(.serialized) struct HTTPClientTests {
  // MARK: What goes well

  @Test("a response comes with its status, its header fields and its body")
  func response() async throws {
    let response = try await outcome(answer: "HTTP/1.1 200 OK\r\nX-Tag: a\r\nContent-Length: 2\r\n\r\nhi")
      .get()
    #expect(response.status == 200)
    #expect(response.headers["x-tag"] == "a")
    #expect(response.body == Data("hi".utf8))
    #expect(response.redirectCount == 0)
  }

  @Test("method, header fields and body reach the server")
  func request() async throws {
    let received = Recorder<String>()
    let server = try LoopbackServer { connection in
      received.append(connection.readHead() ?? "")
      received.append(String(decoding: connection.read(5), as: UTF8.self))
      connection.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
    }
    let request = HTTPRequest(
      server.url("/notes"), method: "PUT", headers: ["X-Tag": "a b"], body: Data("hello".utf8))
    #expect(try await outcome(of: request).get().status == 201)
    await server.stop()
    #expect(received.values[0].hasPrefix("PUT /notes HTTP/1.1\r\n"))
    #expect(received.values[0].lowercased().contains("\r\nx-tag: a b\r\n"))
    #expect(received.values[1] == "hello")
  }

  @Test(
    "a body that ends as announced, or with the connection where nothing is announced, is whole",
    arguments: [
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"),
      ("HTTP/1.1 200 OK\r\n\r\nhello", "hello"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
      ("HTTP/1.1 204 No Content\r\n\r\n", ""),
      ("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi"),
    ])
  func wholeBodies(answer: String, body: String) async throws {
    #expect(try await outcome(answer: answer).get().body == Data(body.utf8))
  }

  @Test("the answer to HEAD has a length and no body, and is whole")
  func head() async throws {
    let response = try await outcome(answer: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n") {
      $0.method = "HEAD"
    }
    .get()
    #expect(response.body.isEmpty)
    #expect(response.headers["content-length"] == "20")
  }

  @Test("an answer that is not modified has a length and no body, and is whole")
  func notModified() async throws {
    let response = try await outcome(answer: "HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\n\r\n") {
      $0.acceptedStatuses = 200...399
    }.get()
    #expect(response.status == 304)
  }

  @Test("an IPv6 address is asked as any other")
  func ipv6() async throws {
    let hosts = Recorder<String>()
    guard
      let server = try? LoopbackServer(
        onIPv6: true,
        { connection in
          hosts.append(connection.readHead() ?? "")
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        })
    else { return }  // a machine without IPv6
    let response = try await outcome(of: HTTPRequest("http://[::1]:\(server.port)/a")).get()
    #expect(response.body == Data("hi".utf8))
    #expect(response.url == "http://[::1]:\(server.port)/a")
    #expect(hosts.values.first?.lowercased().contains("\r\nhost: [::1]:\(server.port)\r\n") == true)
    await server.stop()
  }

  @Test("a port out of range is a bad address, and says so", arguments: [0, 65_536, 99_999])
  func port(port: Int) async {
    let failure = HTTPFailure.badURL("http://127.0.0.1:\(port)/")
    #expect(await outcome(of: HTTPRequest("http://127.0.0.1:\(port)/")) == .failure(failure))
    #expect("\(failure)".contains("its port is not a number from 1 to 65535"))
  }

  @Test("a name and a password in the address are sent, and shown nowhere")
  func credentials() async throws {
    let heads = Recorder<String>()
    let server = try LoopbackServer { connection in
      heads.append(connection.readHead() ?? "")
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let url = server.url().replacing("http://", with: "http://Aladdin:open%20sesame@")
    let response = try await outcome(of: HTTPRequest(url)).get()
    #expect(response.url == server.url())
    #expect(heads.values[0].contains("uthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"))
    #expect(!heads.values[0].contains("Aladdin"))
    await server.stop()
  }

  @Test("a coding that the request asks for and the client does not know is left as it is")
  func ownCoding() async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nhi"
    let response = try await outcome(answer: answer) { $0.headers["accept-encoding"] = "br" }.get()
    #expect(response.body == Data("hi".utf8))
    #expect(response.headers["content-encoding"] == "br")
  }

  @Test("a version that is still the same is an answer to who knows it")
  func notModifiedForKnown() async throws {
    let heads = Recorder<String>()
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        heads.append(head.lowercased())
        connection.write(
          head.lowercased().contains("if-none-match: \"v1\"")
            ? "HTTP/1.1 304 Same\r\nETag: \"v1\"\r\nContent-Length: 20\r\n\r\n"
            : "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 2\r\n\r\nhi")
      }
    }
    let client = HTTPClient.untimed()
    let first = try await client.load(HTTPRequest(server.url()))
    #expect(!first.isNotModified)
    let second = try await client.load(HTTPRequest(server.url(), known: first.validator))
    #expect(second.isNotModified)
    #expect(second.body.isEmpty)
    #expect(!heads.values[0].contains("if-none-match"))
    await server.stop()
  }

  // MARK: The connection

  @Test("nobody listening is a failure to connect")
  func refused() async throws {
    let (socket, port) = try LoopbackServer.boundSocket()  // taken, so that no other test can listen on it
    defer { close(socket) }
    guard case .failure(.cannotConnect) = await outcome(of: HTTPRequest("http://127.0.0.1:\(port)/")) else {
      Issue.record("connected to nobody")
      return
    }
  }

  @Test("a name that nobody knows is told by that name")
  func unknownHost() async {
    #expect(
      await outcome(of: HTTPRequest("http://nowhere.invalid/")) == .failure(.hostNotFound("nowhere.invalid")))
  }

  @Test("a server that does not speak TLS is a TLS failure")
  func noTLS() async throws {
    let server = try LoopbackServer { connection in
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.waitForClose()
    }
    let request = HTTPRequest(server.url().replacing("http:", with: "https:"))
    let outcome = await outcome(of: request)
    await server.stop()
    guard case .failure(.tls) = outcome else {
      Issue.record("not told as a TLS failure: \(outcome)")
      return
    }
  }

  @Test("an answer that is not HTTP is told as such")
  func notHTTP() async throws {
    guard case .failure(.notHTTP) = try await outcome(answer: "SSH-2.0-OpenSSH_9.2\r\n\r\n") else {
      Issue.record("taken for HTTP")
      return
    }
  }

  @Test("a server that closes or resets without an answer has cut it off")
  func noAnswer() async throws {
    let none = Result<HTTPResponse, HTTPFailure>.failure(.cutOff(received: 0, expected: nil))
    #expect(try await outcome(script: { _ = $0.readHead() }) == none)
    #expect(
      try await outcome(script: {
        _ = $0.readHead()
        $0.reset()
      }) == none)
  }

  @Test(
    "a body that ends early is cut off, with what came and what was announced",
    arguments: [
      ("Content-Length: 20\r\n\r\nhi", 2, 20), ("Content-Length: 20\r\n\r\n", 0, 20),
      ("Transfer-Encoding: chunked\r\n\r\n5\r\nhel", 3, nil),
      ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", 5, nil),
    ] as [(String, Int, Int?)])
  func cutOff(rest: String, received: Int, expected: Int?) async throws {
    #expect(
      try await outcome(answer: "HTTP/1.1 200 OK\r\n" + rest)
        == .failure(.cutOff(received: received, expected: expected)))
  }

  @Test("a connection that is reset within the body is cut off")
  func reset() async throws {
    let outcome = try await outcome(script: { connection in
      _ = connection.readHead()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n")
      connection.reset()
    })
    // Whether the head was read before the reset came is the network's affair.
    guard case .failure(.cutOff(received: 0, _)) = outcome else {
      Issue.record("not cut off: \(outcome)")
      return
    }
  }

  @Test("a body that is longer than announced is whole where it was announced to end")
  func longerThanAnnounced() async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi, and much more"
    #expect(try await outcome(answer: answer).get().body == Data("hi".utf8))
  }

  @Test("a length that is none is not HTTP", arguments: ["-5", "abc", ""])
  func notALength(length: String) async throws {
    let outcome = try await outcome(answer: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhi")
    guard case .failure(.notHTTP) = outcome else {
      Issue.record("taken for HTTP: \(outcome)")
      return
    }
  }

  // MARK: Cancellation

  @Test("cancelling a load closes its connection and is told as such")
  func cancelled() async throws {
    let arrived = Recorder<Bool>()
    let closed = Recorder<Bool>()
    let server = try LoopbackServer { connection in
      arrived.append(connection.readHead() != nil)
      connection.waitForClose()
      closed.append(true)
    }
    let client = HTTPClient.untimed()
    let loading = Task { try await client.load(HTTPRequest(server.url())) }
    try await arrived.values(atLeast: 1)
    loading.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await loading.value }
    try await closed.values(atLeast: 1)
    #expect(client.exchangesUnderWay == 0)
    await server.stop()
  }

  @Test("a load in a task that is cancelled already does not reach the server")
  func cancelledBefore() async throws {
    let connections = Recorder<Bool>()
    let server = try LoopbackServer { _ in connections.append(true) }
    let gate = Gate()
    let loading = Task {
      await gate.waitIgnoringCancellation()
      return try await HTTPClient.untimed().load(HTTPRequest(server.url()))
    }
    loading.cancel()
    gate.open()
    await #expect(throws: HTTPFailure.cancelled) { try await loading.value }
    await server.stop()
    #expect(connections.values.isEmpty)
  }

  @Test("cancelling at any moment of a chain of redirects does no harm")
  func cancelledAmongRedirects() async throws {
    let server = try LoopbackServer { connection in
      while connection.readHead() != nil {
        connection.write("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
      }
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
    await server.stop()
  }

  // MARK: What cannot be sent

  @Test(
    "an address that is no absolute HTTP address is refused",
    arguments: ["", "/path", "http://", "http:///path", "ftp://example.org/", "file:///etc/passwd", "a b"])
  func badURL(url: String) async {
    #expect(await outcome(of: HTTPRequest(url)) == .failure(.badURL(url)))
  }

  @Test("a header field that would begin another one is refused")
  func badField() async {
    let request = HTTPRequest("http://127.0.0.1:1/", headers: ["a": "b\r\nc: d"])
    #expect(await outcome(of: request) == .failure(.badField("a")))
    #expect(
      await outcome(of: HTTPRequest("http://127.0.0.1:1/", method: "GET /")) == .failure(.badField("GET /")))
  }

  // MARK: The end

  @Test("a client that goes closes its connections, and no descriptor is left open")
  func noLeaks() async throws {
    let server = try LoopbackServer { connection in
      while connection.readHead() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    }
    weak var gone: HTTPClient?
    do {
      let client = HTTPClient.untimed()
      gone = client
      for _ in 0..<3 { _ = try await client.load(HTTPRequest(server.url())) }
    }
    await server.connectionsEnded()
    #expect(gone == nil)
    await server.stop()
  }
}
