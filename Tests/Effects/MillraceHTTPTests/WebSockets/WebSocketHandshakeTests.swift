import Foundation
import HostileServer
import Testing

@testable import MillraceHTTP

@Suite struct WebSocketHandshakeTests {
  private static let key = Array("the sample nonce".utf8)
  private static let answer = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  private func handshake(
    _ request: WebSocketRequest = WebSocketRequest("ws://example.org/chat")
  ) throws -> WebSocketHandshake {
    try WebSocketHandshake(request, key: Self.key)
  }

  private func outcome(
    of answer: String, _ request: WebSocketRequest = WebSocketRequest("ws://example.org/chat")
  ) throws -> WebSocketHandshake.Next {
    var handshake = try handshake(request)
    return handshake.received(Array(answer.utf8))
  }

  @Test("SHA-1 gives what FIPS 180 says, over every length around a block")
  func sha1() {
    func hex(_ text: some Collection<UInt8>) -> String {
      SHA1.digest(text).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(hex("".utf8) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(hex("abc".utf8) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(hex(repeatElement(97, count: 1_000)) == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
    // Each digest is hashed with 0 to 199 letters; what Python's hashlib makes of them.
    let chained = (0..<199).reduce([UInt8]()) { SHA1.digest($0 + repeatElement(97, count: $1)) }
    #expect(hex(chained + repeatElement(97, count: 199)) == "60ed616eaa981c48eaaf487333035ece8417a222")
  }

  @Test("the key of RFC 6455 is answered as it says there")
  func accept() throws {
    #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == Self.answer)
    #expect(String(decoding: try handshake().bytes, as: UTF8.self).contains("dGhlIHNhbXBsZSBub25jZQ=="))
  }

  @Test("the request names what it is, with the fields and subprotocols of the program")
  func request() throws {
    var request = WebSocketRequest(
      "WSS://ann:pass%20word@Example.org:8443/a b?c=d#e", headers: ["origin": "https://example.org"],
      subprotocols: ["orders.2", "orders.1"])
    let handshake = try handshake(request)
    #expect(handshake.address.sent == "https://example.org:8443/a%20b?c=d")
    #expect(
      String(decoding: handshake.bytes, as: UTF8.self) == """
        GET /a%20b?c=d HTTP/1.1\r
        Host: example.org:8443\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: orders.2, orders.1\r
        authorization: Basic YW5uOnBhc3Mgd29yZA==\r
        origin: https://example.org\r
        user-agent: Millrace\r
        \r

        """)
    request.headers["authorization"] = "Bearer x"
    #expect(
      String(decoding: try self.handshake(request).bytes, as: UTF8.self).contains(
        "\r\nauthorization: Bearer x\r\n"))
  }

  @Test(
    "an address that is none, or of another scheme, is refused without its credentials",
    arguments: [
      "", "example.org", "http://example.org", "wsx://a:secret@b", "ws://", "ws://a:secret@b:99999/",
    ])
  func addresses(url: String) {
    #expect {
      try handshake(WebSocketRequest(url))
    } throws: { failure in
      guard case .badURL = failure as? WebSocketFailure else { return false }
      return !"\(failure)".contains("secret")
    }
  }

  @Test("fields of the handshake itself, and what would begin another field, are refused")
  func fields() {
    for (name, value) in [
      ("Host", "a"), ("sec-websocket-key", "a"), ("Sec-WebSocket-Extensions", "permessage-deflate"),
      ("upgrade", "h2c"), ("content-length", "4"), ("a b", "c"), ("a", "b\r\nc: d"),
    ] {
      #expect(throws: WebSocketFailure.http(.badField(name.lowercased()))) {
        try handshake(WebSocketRequest("ws://a", headers: [name: value]))
      }
    }
    for subprotocols in [[""], ["a,b"], ["a", "a"], ["a\r\nb"]] {
      #expect(throws: WebSocketFailure.self) {
        try handshake(WebSocketRequest("ws://a", subprotocols: subprotocols))
      }
    }
  }

  @Test("an answer that agrees opens, for every split, and what follows it is kept")
  func opens() throws {
    let answer = Array(
      ("HTTP/1.1 100 Continue\r\n\r\n"
        + WebSocketPeer.answer(accept: Self.answer, fields: "Sec-WebSocket-Protocol: b\r\n")).utf8)
    let request = WebSocketRequest("ws://example.org/chat", subprotocols: ["a", "b"])
    for count in 0...answer.count {
      var handshake = try handshake(request)
      var next = handshake.received(answer.prefix(count))
      if next == .goOn { next = handshake.received(answer.dropFirst(count) + [1, 2]) }
      #expect(next == .open(subprotocol: "b", rest: count == answer.count ? [] : [1, 2]))
    }
  }

  @Test(
    "an answer of 101 that does not agree is no WebSocket",
    arguments: [
      "", "Upgrade: websocket\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n",
      "Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(answer)\r\n",
      "Upgrade: websocket\r\nConnection: close\r\nSec-WebSocket-Accept: \(answer)\r\n",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(answer.lowercased())\r\n",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: dGhlIHNhbXBsZSBub25jZQ==\r\n",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(answer)\r\nSec-WebSocket-Accept: x\r\n",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(answer)\r\nSec-WebSocket-Protocol: z\r\n",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(answer)\r\nSec-WebSocket-Extensions: x\r\n",
    ])
  func disagrees(fields: String) throws {
    guard case .fail(.notAWebSocket) = try outcome(of: "HTTP/1.1 101 Switching\r\n\(fields)\r\n") else {
      Issue.record("agreed on: \(fields)")
      return
    }
  }

  @Test("a status other than 101 fails as for a request, and an answer that is no HTTP as notHTTP")
  func refuses() throws {
    let busy = try outcome(of: "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\nlater")
    guard case .fail(let failure) = busy else {
      Issue.record("\(busy)")
      return
    }
    #expect(failure.isTransient && failure.retryDelay == .seconds(7))
    #expect(
      try outcome(of: "HTTP/1.1 404 None\r\n\r\n")
        == .fail(.http(.statusNotAccepted(status: 404, headers: [:], excerpt: ""))))
    // Nor is a line without an end read for ever.
    for answer in ["SSH-2.0-OpenSSH\r\n", String(repeating: "A", count: 300 << 10)] {
      guard case .fail(.http(.notHTTP)) = try outcome(of: answer) else {
        Issue.record("taken for HTTP: \(answer.prefix(20))")
        return
      }
    }
  }

  @Test("descriptions show no secrets")
  func secrets() {
    var request = WebSocketRequest(
      "wss://ann:secret@example.org/?access_token=secret", headers: ["authorization": "secret"],
      outgoing: [WebSocketOutgoing(1, .text("secret"))])
    #expect("\(request)" == "wss://***@example.org/?access_token=*** with 1 to send")
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("secret"))
    request.attempt = 2
    #expect("\(request.withoutOutgoing)" == "wss://***@example.org/?access_token=*** (attempt 2)")
  }
}
