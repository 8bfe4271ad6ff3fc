import Foundation
import Testing

@testable import MillraceHTTP

@Suite struct HTTPExchangeTests {
  private func exchange(_ request: HTTPRequest) throws -> HTTPExchange {
    let body = request.body.map(HTTPBody.data) ?? .none
    return HTTPExchange(request, message: try HTTPMessage(request, body: body, hasOwnConnection: false))
  }

  private func redirected(
    _ status: Int, _ request: HTTPRequest, to location: String = "/next"
  ) throws -> HTTPMessage {
    var exchange = try exchange(request)
    #expect(exchange.headArrived(HTTPHead(status: status, headers: ["location": location])) == .goOn)
    #expect(exchange.ended(nil) == .redirect)
    return exchange.message
  }

  @Test(
    "a redirect keeps the method and the body, but where the standard has it become a GET",
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
      (303, "DELETE", "GET"), (303, "HEAD", "HEAD"), (301, "PUT", "PUT"), (302, "PUT", "PUT"),
      (302, "PATCH", "PATCH"), (307, "POST", "POST"), (308, "POST", "POST"), (307, "PUT", "PUT"),
      (308, "DELETE", "DELETE"),
    ])
  func methods(status: Int, method: String, next: String) throws {
    let request = HTTPRequest(
      "http://a/x", method: method,
      headers: ["content-type": "text/plain", "content-language": "en", "x": "y"],
      body: Data("hello".utf8))
    let message = try redirected(status, request)
    #expect(message.method == next)
    #expect(message.body.size == (next == method && method != "HEAD" || next == "HEAD" ? 5 : nil))
    #expect(message.headers["content-type"] == (next == "GET" ? nil : "text/plain"))
    #expect(message.headers["content-language"] == (next == "GET" ? nil : "en"))
    #expect(message.headers["x"] == "y")
  }

  @Test(
    "what only one server may see goes to no other",
    arguments: [
      ("/b", true), ("http://a/b", true), ("http://A:80/b", true), ("https://a/b", false),
      ("http://a:81/b", false), ("http://b/", false), ("//b/", false),
    ])
  func secrets(location: String, isSame: Bool) throws {
    var request = HTTPRequest("http://user:secret@a/x", headers: ["host": "c", "cookie": "d", "x-own": "e"])
    request.headers.secretNames.insert("x-own")
    let message = try redirected(307, request, to: location)
    for name in ["host", "cookie", "x-own", "authorization"] {
      #expect((message.headers[name] != nil) == isSame, "\(name)")
    }
    let plain = try redirected(307, HTTPRequest("http://a/", headers: ["x-own": "e"]), to: location)
    #expect(plain.headers["x-own"] == "e")
  }

  @Test("credentials in the address of a redirect are used, and never shown")
  func credentialsInLocation() throws {
    let message = try redirected(302, HTTPRequest("http://a/"), to: "http://user:secret@b/")
    #expect(message.headers["authorization"] == "Basic dXNlcjpzZWNyZXQ=")
    #expect(message.address.shown == "http://b/")
    var exchange = try exchange(HTTPRequest("http://a/"))
    let head = HTTPHead(status: 302, headers: ["location": "http://user:secret@b:0/"])
    #expect(exchange.headArrived(head) == .end(.failure(.badURL("http://***@b:0/"))))
  }

  @Test("a body is counted over all of its parts, and starts over after a redirect")
  func parts() throws {
    var exchange = try exchange(HTTPRequest("http://example.org/", largestBody: 5))
    #expect(exchange.headArrived(HTTPHead(status: 302, headers: ["location": "/x"])) == .goOn)
    #expect(exchange.bodyArrived(Data(count: 100)) == .goOn)
    #expect(exchange.ended(.cutOff(received: 0, expected: nil)) == .redirect)
    guard case .accept = exchange.headArrived(HTTPHead(status: 200)) else { throw HTTPFailure.cancelled }
    #expect(exchange.bodyArrived(Data([1, 2, 3])) == .deliver(Data([1, 2, 3])))
    #expect(exchange.bodyArrived(Data([4, 5])) == .deliver(Data([4, 5])))
    #expect(exchange.bodyArrived(Data([6])) == .end(.failure(.bodyTooLarge(limit: 5))))
  }

  @Test("of a redirect's body so much is read, and no more")
  func redirectBody() throws {
    var exchange = try exchange(HTTPRequest("http://a/"))
    #expect(exchange.headArrived(HTTPHead(status: 302, headers: ["location": "/x"])) == .goOn)
    #expect(exchange.bodyArrived(Data(count: HTTPExchange.largestRedirectBody)) == .goOn)
    #expect(exchange.bodyArrived(Data([1])) == .redirect)
    let large = HTTPHead(
      status: 302, headers: ["location": "/y", "content-length": "\(HTTPExchange.largestRedirectBody + 1)"])
    #expect(exchange.headArrived(large) == .redirect)
    #expect(exchange.message.address.path == "/y")
  }

  @Test("being given up counts more than what an answer was about to be")
  func givenUp() throws {
    for failure in [HTTPFailure.cancelled, .timedOut] {
      var exchange = try exchange(HTTPRequest("http://a/"))
      _ = exchange.headArrived(HTTPHead(status: 500))
      #expect(exchange.ended(failure) == .end(.failure(failure)))
      exchange = try self.exchange(HTTPRequest("http://a/"))
      _ = exchange.headArrived(HTTPHead(status: 302, headers: ["location": "/x"]))
      #expect(exchange.ended(failure) == .end(.failure(failure)))
    }
  }

  @Test("a cut answer says how much came and how much was announced, unless it is coded")
  func cut() throws {
    let cut = HTTPFailure.cutOff(received: 0, expected: nil)
    for (coding, expected) in [(nil, 9), ("gzip", nil)] as [(String?, Int?)] {
      var exchange = try exchange(HTTPRequest("http://a/"))
      var head = HTTPHead(status: 200, headers: ["content-length": "9"])
      head.headers["content-encoding"] = coding
      _ = exchange.headArrived(head)
      _ = exchange.bodyArrived(Data([1, 2]))
      #expect(exchange.ended(cut) == .end(.failure(.cutOff(received: 2, expected: expected))))
    }
  }

  @Test("a body that is shorter than announced is cut, also where the transport takes it for whole")
  func short() throws {
    for count in 8...9 {
      var exchange = try exchange(HTTPRequest("http://a/"))
      _ = exchange.headArrived(HTTPHead(status: 200, headers: ["content-length": "9"]))
      _ = exchange.bodyArrived(Data(count: count))
      let isCut = exchange.ended(nil) == .end(.failure(.cutOff(received: count, expected: 9)))
      #expect(isCut == (count < 9))
    }
  }

  @Test("a request whose length or framing lies is refused")
  func smuggling() {
    for (name, value) in [
      ("content-length", "3"), ("Content-Length", "5, 5"), ("transfer-encoding", "chunked"),
    ] {
      let request = HTTPRequest(
        "http://a/", method: "POST", headers: [.init(name): .init(value)], body: Data(count: 5))
      #expect(throws: HTTPFailure.badField(name.lowercased())) {
        try HTTPMessage(request, body: .data(Data(count: 5)), hasOwnConnection: false)
      }
    }
    let honest = HTTPRequest(
      "http://a/", method: "POST", headers: ["content-length": "5"], body: Data(count: 5))
    #expect(throws: Never.self) {
      try HTTPMessage(honest, body: .data(Data(count: 5)), hasOwnConnection: false)
    }
  }

  @Test("a request that knows a version says so, and takes 304 for an answer")
  func conditional() throws {
    var request = HTTPRequest("http://a/")
    request.known = HTTPValidator(entityTag: "\"x\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    var exchange = try exchange(request)
    #expect(exchange.message.headers["if-none-match"] == "\"x\"")
    #expect(exchange.message.headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    guard case .accept(let response, _, _) = exchange.headArrived(HTTPHead(status: 304)) else {
      throw HTTPFailure.cancelled
    }
    #expect(response.isNotModified)
    request.known = HTTPValidator(entityTag: "\"x\"\r\na: b")
    #expect(throws: HTTPFailure.badField("if-none-match")) { try self.exchange(request) }
    #expect(HTTPResponse(headers: ["ETag": "W/\"1\""]).validator == HTTPValidator(entityTag: "W/\"1\""))
    #expect(HTTPResponse().validator == nil)
    #expect(HTTPValidator(entityTag: "W/\"1\"").strongTag == nil)
  }

  #if !canImport(Darwin)
  @Test(
    "what comes before a break is decoded, in whatever parts the bytes come", arguments: [1, 2, 5, 1_000])
  func broken(size: Int) {
    let content = Array("what came before".utf8)
    let count = UInt8(content.count)
    // A stored block of deflate, and one of a kind that there is not.
    let bytes = [0, count, 0, ~count, 0xFF] + content + [7]
    var decoder = BodyDecoder(.steps([.deflate]))
    var body = Data()
    var failure: HTTPFailure?
    do throws(HTTPFailure) {
      for start in stride(from: 0, to: bytes.count, by: size) {
        decoder.received(Data(bytes[start..<min(start + size, bytes.count)]))
        while let more = try decoder.next() { body += more }
      }
    } catch { failure = error }
    #expect(body == Data(content))
    #expect(failure == .undecodable("its deflate code is broken"))
  }
  #endif
}
