extension HostileBehaviour {
  static let ok = "HTTP/1.1 200 OK\r\n"

  /// Where a body ends.
  static let framing: [HostileBehaviour] = [
    .init("length", .answer("hello"), keepsConnection: true, next: .same) { connection, _ in
      connection.write("\(ok)Content-Length: 5\r\n\r\nhello")
    },
    .init("no-length", .answer("hello"), writes: "\(ok)\r\nhello"),
    .init("http10", .answer("hello"), writes: "HTTP/1.0 200 OK\r\n\r\nhello"),
    .init(
      "length-beside-chunked", .answer("hello"),
      writes: "\(ok)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    .init(
      "longer-length-beside-chunked", .answer("hello"),
      writes: "\(ok)Transfer-Encoding: chunked\r\nContent-Length: 300\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    .init(
      "two-lengths-beside-chunked", .answer("hello"),
      writes: "\(ok)Content-Length: 3\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n"
        + "5\r\nhello\r\n0\r\n\r\n"),
    .init(
      "equal-lengths", .answer("hello"),
      writes: "\(ok)Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
    .init(
      "equal-lengths-in-one-field", .answer("hello"), .malformed,
      writes: "\(ok)Content-Length: 5, 5\r\n\r\nhello"),
    .init("two-lengths", .malformed, writes: "\(ok)Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
    .init(
      "shorter-second-length", .malformed, writes: "\(ok)Content-Length: 6\r\nContent-Length: 5\r\n\r\nhello!"
    ),
    .init("two-lengths-in-one-field", .malformed, writes: "\(ok)Content-Length: 5, 6\r\n\r\nhello!"),
    .init("negative-length", .malformed, writes: "\(ok)Content-Length: -5\r\n\r\nhello"),
    .init("length-with-sign", .malformed, writes: "\(ok)Content-Length: +5\r\n\r\nhello"),
    .init("hexadecimal-length", .malformed, writes: "\(ok)Content-Length: 0x5\r\n\r\nhello"),
    .init("length-with-tail", .malformed, writes: "\(ok)Content-Length: 5 apples\r\n\r\nhello"),
    .init(
      "length-without-end", .malformed, writes: "\(ok)Content-Length: 99999999999999999999999\r\n\r\nhello"),
    .init("empty-length", .malformed, writes: "\(ok)Content-Length:\r\n\r\nhello"),
    .init("largest-length", .tooLarge, writes: "\(ok)Content-Length: 9223372036854775807\r\n\r\nhello"),
    .init("longer-than-announced", .answer("hello"), writes: "\(ok)Content-Length: 5\r\n\r\nhello, and more"),
    .init("shorter-than-announced", .cut, writes: "\(ok)Content-Length: 50\r\n\r\nhello"),
    .init("nothing-of-what-was-announced", .cut, writes: "\(ok)Content-Length: 50\r\n\r\n"),
    .init(
      "no-content-with-body", .status(204), writes: "HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nhello"),
    .init("not-modified-unasked", .status(304), writes: "HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n"),
    .init(
      "second-answer-unasked", .answer("hello"), writes: "\(ok)Content-Length: 5\r\n\r\nhello\(ok)\r\nevil"),
    .init("closed-at-once", .cut) { _, _ in },
    .init("reset-at-once", .cut) { connection, _ in connection.reset() },
    .init("reset-within-body", .cut) { connection, _ in
      connection.write("\(ok)Content-Length: 50\r\n\r\nhello")
      connection.reset()
    },
  ]

  /// Chunked coding, and what comes after it.
  static let chunks: [HostileBehaviour] = [
    .chunked("chunked", .answer("hello"), sending: "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"),
    .chunked(
      "chunks-of-one", .answer(String(repeating: "a", count: 3_000)),
      sending: String(repeating: "1\r\na\r\n", count: 3_000) + "0\r\n\r\n"),
    .chunked(
      "chunk-extensions", .answer("hello"), sending: "5;name=value;other=\"x\"\r\nhello\r\n0;last\r\n\r\n"),
    .chunked("chunk-size-with-zeros", .answer("hello"), sending: "0000005\r\nhello\r\n0\r\n\r\n"),
    .chunked("trailer", .answer("hello"), sending: "5\r\nhello\r\n0\r\nX-Checksum: 1\r\n\r\n"),
    .chunked(
      "announced-trailer", .answer("hello"), fields: "Trailer: X-Checksum\r\n",
      sending: "5\r\nhello\r\n0\r\nX-Checksum: 1\r\n\r\n"),
    .chunked(
      "trailer-of-lengths", .answer("hello"),
      sending: "5\r\nhello\r\n0\r\nContent-Length: 99\r\nTransfer-Encoding: x\r\n\r\n"),
    .chunked(
      "thousand-trailers", .answer("hello"),
      sending: "5\r\nhello\r\n0\r\n" + (0..<1_000).map { "X-T\($0): 1\r\n" }.joined() + "\r\n"),
    .chunked(
      "trailer-without-colon", .answer("hello"), .malformed, .cut,
      sending: "5\r\nhello\r\n0\r\nnonsense\r\n\r\n"),
    .chunked("trailer-cut", .answer("hello"), .cut, sending: "5\r\nhello\r\n0\r\nX-Check"),
    .chunked("chunk-size-that-is-none", .malformed, sending: "zz\r\nhello\r\n0\r\n\r\n"),
    .chunked("negative-chunk-size", .malformed, sending: "-5\r\nhello\r\n0\r\n\r\n"),
    .chunked("chunk-size-without-end", .malformed, sending: "FFFFFFFFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"),
    .chunked("largest-chunk-size", .cut, .malformed, sending: "7FFFFFFFFFFFFFFF\r\nhello"),
    .chunked("chunk-without-line-end", .malformed, sending: "5\r\nhello0\r\n\r\n"),
    .chunked("chunk-longer-than-its-size", .malformed, sending: "3\r\nhello\r\n0\r\n\r\n"),
    .chunked("cut-within-chunk", .cut, sending: "5\r\nhel"),
    .chunked("cut-within-chunk-size", .cut, sending: "5"),
    .chunked("cut-before-last-chunk", .cut, sending: "5\r\nhello\r\n"),
    .chunked("cut-within-last-chunk", .cut, .answer("hello"), sending: "5\r\nhello\r\n0\r\n"),
    .chunked("no-chunk-at-all", .cut, sending: ""),
    .chunked("chunks-with-bare-line-feeds", .answer("hello"), .malformed, sending: "5\nhello\n0\n\n"),
    .init(
      "chunked-in-http10", .answer("hello"), .answer("5\r\nhello\r\n0\r\n\r\n"),
      writes: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    .init(
      "unknown-transfer-coding", .undecodable, .malformed,
      writes: "\(ok)Transfer-Encoding: rot13\r\n\r\nhello"),
    .init(
      "identity-as-transfer-coding", .answer("hello"), writes: "\(ok)Transfer-Encoding: identity\r\n\r\nhello"
    ),
    .init("identity-beside-length", .answer("hello"), keepsConnection: true, next: .another) {
      connection, _ in
      connection.write("\(ok)Transfer-Encoding: Identity\r\nContent-Length: 5\r\n\r\nhello")
    },
    .init("identity-beside-no-length", .answer(""), keepsConnection: true, next: .another) { connection, _ in
      connection.write("\(ok)Content-Length: 0\r\nTransfer-Encoding: identity\r\n\r\n")
    },
    .init(
      "identity-and-more-than-the-length", .answer("hello"),
      writes: "\(ok)Content-Length: 5\r\nTransfer-Encoding: identity\r\n\r\nhello, and more"),
    .init("not-found-with-identity", .status(404), keepsConnection: true, next: .another) { connection, _ in
      connection.write("HTTP/1.1 404 No\r\nContent-Length: 5\r\nTransfer-Encoding: identity\r\n\r\nhello")
    },
    .init(
      "identity-as-transfer-coding-cut", .cut,
      writes: "\(ok)Content-Length: 50\r\nTransfer-Encoding: identity\r\n\r\nhello"),
    .init(
      "identity-beside-chunked", .answer("hello"), .malformed, .undecodable,
      writes: "\(ok)Transfer-Encoding: identity, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    .init("empty-transfer-coding", .answer("hello"), writes: "\(ok)Transfer-Encoding:\r\n\r\nhello"),
    .init(
      "chunked-twice", .malformed, .undecodable, .answer("hello"),
      writes: "\(ok)Transfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    .init(
      "capital-chunked", .answer("hello"),
      writes: "\(ok)TRANSFER-ENCODING: CHUNKED\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    .init("chunk-extension-without-end", .cut, .malformed) { connection, _ in
      connection.write("\(ok)Transfer-Encoding: chunked\r\n\r\n5;")
      let part = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000)
      for _ in 0..<1_000 where connection.write(part) {}
    },
  ]

  private static func chunked(
    _ name: String, _ endings: Ending..., fields: String = "", sending body: String
  ) -> HostileBehaviour {
    let answer = "\(ok)\(fields)Transfer-Encoding: chunked\r\n\r\n\(body)"
    return HostileBehaviour(name, endings: endings) { connection, _ in connection.write(answer) }
  }

  private init(
    _ name: String, endings: [Ending], script: @escaping @Sendable (LoopbackConnection, String) -> Void
  ) {
    self.name = name
    self.endings = Set(endings)
    keepsConnection = false
    next = .another
    self.script = script
  }
}
