extension HostileBehaviour {
  /// Servers that take their time.
  static let slowness: [HostileBehaviour] = [
    .init("silent", .endless) { connection, _ in connection.waitForClose() },
    .silent("silent-within-head", after: "\(ok)Content-Le"),
    .silent("silent-before-empty-line", after: "\(ok)Content-Length: 5\r\n"),
    .silent("silent-after-head", after: "\(ok)Content-Length: 5\r\n\r\n"),
    .silent("silent-within-body", after: "\(ok)Content-Length: 50\r\n\r\nhello"),
    .silent("silent-within-chunk", after: "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhel"),
    .silent("silent-within-trailer", after: "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-C"),
    .silent(
      "silent-within-redirect", after: "HTTP/1.1 302 Moved\r\nLocation: /length\r\nContent-Length: 5\r\n\r\n"),
    .silent("silent-after-interim-answer", after: "HTTP/1.1 103 Early\r\n\r\n"),
    .init("trickling-head", .endless) { connection, _ in
      connection.write(ok)
      while connection.write("X-A: 1\r\n"), !connection.isEnding(milliseconds: 20) {}
    },
    .init("trickling-body", .endless) { connection, _ in
      connection.write("\(ok)\r\n")
      while connection.write("a"), !connection.isEnding(milliseconds: 20) {}
    },
    .init("byte-by-byte", .answer("hello")) { connection, _ in
      for byte in "\(ok)Content-Length: 5\r\n\r\nhello".utf8 { connection.write([byte]) }
    },
  ]

  /// Servers that never stop.
  static let hugeness: [HostileBehaviour] = [
    .flood("body-without-end", .tooLarge, after: "\(ok)\r\n"),
    .flood("long-body", .tooLarge, after: "\(ok)Content-Length: 500001\r\n\r\n"),
    .flood("chunk-without-end", .tooLarge, after: "\(ok)Transfer-Encoding: chunked\r\n\r\n7FFFFFFF\r\n"),
    .flood("error-page-without-end", .status(404), after: "HTTP/1.1 404 No\r\n\r\n"),
    .flood("status-line-without-end", .malformed, .cut, after: "HTTP/1.1 200 "),
    .flood("field-name-without-end", .malformed, .cut, after: ok),
    .flood("field-value-without-end", .malformed, .cut, after: "\(ok)X-A: "),
    .flood("protocol-without-end", .malformed, .cut, after: ""),
    .repeating("fields-without-end", .malformed, sending: "X-A: 1\r\n", after: ok),
    .repeating(
      "interim-answers-without-end", .malformed, sending: "HTTP/1.1 103 Early\r\nX-A: 1\r\n\r\n", after: ""),
    .repeating("empty-lines-without-end", .malformed, .cut, sending: "\r\n", after: ""),
    .repeating("folded-field-without-end", .malformed, .cut, sending: " more\r\n", after: "\(ok)X-A: 1\r\n"),
    .repeating(
      "trailer-without-end", .malformed, sending: "X-A: 1\r\n",
      after: "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"),
    .repeating(
      "chunks-without-end", .tooLarge, sending: "5\r\nhello\r\n",
      after: "\(ok)Transfer-Encoding: chunked\r\n\r\n"),
  ]

  /// Sends until the client goes.
  static func flood(_ connection: LoopbackConnection) {
    let part = [UInt8](repeating: UInt8(ascii: "a"), count: 64 << 10)
    while connection.write(part) {}
  }

  private static func silent(_ name: String, after text: String) -> HostileBehaviour {
    HostileBehaviour(name, .endless) { connection, _ in
      connection.write(text)
      connection.waitForClose()
    }
  }

  private static func flood(_ name: String, _ ending: Ending, _ other: Ending? = nil, after text: String)
    -> HostileBehaviour
  {
    HostileBehaviour(name, ending, other ?? ending) { connection, _ in
      connection.write(text)
      flood(connection)
    }
  }

  private static func repeating(
    _ name: String, _ ending: Ending, _ other: Ending? = nil, sending part: String, after text: String
  ) -> HostileBehaviour {
    let parts = Array(String(repeating: part, count: 1_000).utf8)
    return HostileBehaviour(name, ending, other ?? ending) { connection, _ in
      connection.write(text)
      while connection.write(parts) {}
    }
  }
}
