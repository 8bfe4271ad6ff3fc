extension HostileBehaviour {
  private static let body = "Content-Length: 5\r\n\r\nhello"

  /// Heads that are cut, odd, or none.
  static let heads: [HostileBehaviour] = [
    .init("cut-within-status-line", .cut, .malformed, writes: "HTTP/1.1 20"),
    .init("cut-after-status-line", .cut, writes: ok),
    .init("cut-within-field-name", .cut, writes: "\(ok)Content-Le"),
    .init("cut-within-field-value", .cut, writes: "\(ok)Content-Length: 5"),
    .init("cut-before-empty-line", .cut, writes: "\(ok)Content-Length: 5\r\n"),
    .init("cut-within-empty-line", .cut, writes: "\(ok)Content-Length: 5\r\n\r"),
    .init("bare-line-feeds", .answer("hello"), writes: "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"),
    .init("mixed-line-ends", .answer("hello"), writes: "HTTP/1.1 200 OK\nContent-Length: 5\r\n\nhello"),
    .init("bare-carriage-returns", .malformed, .cut, writes: "HTTP/1.1 200 OK\rContent-Length: 5\r\rhello"),
    .init("no-head", .malformed, writes: "hello"),
    .init("other-protocol", .malformed, writes: "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
    .init("binary", .malformed, writes: (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }),
    .init("tls-alert", .malformed, writes: [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28]),
    .init("empty-lines-first", .malformed, .answer("hello"), writes: "\r\n\r\n\(ok)\(body)"),
    .init("small-protocol-name", .malformed, writes: "http/1.1 200 ok\r\n\(body)"),
    .init("future-version", .malformed, .answer("hello"), writes: "HTTP/9.9 200 OK\r\n\(body)"),
    .init(
      "version-without-end", .malformed,
      writes: "HTTP/" + String(repeating: "1", count: 3_000) + " 200 OK\r\n\(body)"),
    .init("field-without-colon", .malformed, .answer("hello"), writes: "\(ok)nonsense\r\n\(body)"),
    .init("field-without-name", .malformed, .answer("hello"), writes: "\(ok): nonsense\r\n\(body)"),
    .init("blank-before-colon", .answer("hello"), .malformed, writes: "\(ok)Content-Length : 5\r\n\r\nhello"),
    .init("folded-field", .answer("hello"), writes: "\(ok)X-Long: a\r\n b\r\n\tc\r\n\(body)"),
    .init("folded-first-field", .malformed, .answer("hello"), writes: "\(ok) folded\r\n\(body)"),
    .init("repeated-fields", .answer("hello"), writes: "\(ok)Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n\(body)"),
    .init(
      "thousand-fields", .answer("hello"), writes: ok + (0..<1_000).map { "X-F\($0): 1\r\n" }.joined() + body),
    .init(
      "one-field-a-thousand-times", .answer("hello"),
      writes: ok + String(repeating: "X-F: 1\r\n", count: 1_000) + body),
    .init("zero-in-field", .malformed, .cut, writes: "\(ok)X-Zero: a\0b\r\n\(body)"),
    .init("carriage-return-in-field", .malformed, writes: "\(ok)X-Odd: a\rb\r\n\(body)"),
    .init("carriage-return-before-field", .malformed, writes: "\(ok)X-Odd: a\r\n\rX-Even: b\r\n\(body)"),
    .init("carriage-return-in-status-line", .malformed, writes: "HTTP/1.1 200 O\rK\r\n\(body)"),
    .init("two-carriage-returns", .malformed, writes: "\(ok)X-Odd: a\r\r\n\(body)"),
    .init(
      "carriage-return-in-folded-field", .malformed, writes: "\(ok)X-Odd: a\r\n b\rc\r\n\(body)"),
    .init("zero-in-status-line", .malformed, .answer("hello"), writes: "HTTP/1.1 200 O\0K\r\n\(body)"),
    .init("zero-in-length", .malformed, .cut, writes: "\(ok)Content-Length: 5\0\r\n\r\nhello"),
  ]

  /// Statuses, interim and final.
  static let statuses: [HostileBehaviour] = [
    .init("no-reason", .answer("hello"), writes: "HTTP/1.1 200\r\n\(body)"),
    .init("odd-reason", .answer("hello"), writes: "HTTP/1.1 200 \u{7}\u{1B}[31m\r\n\(body)"),
    .init("status-zero", .malformed, writes: "HTTP/1.1 000 Zero\r\n\(body)"),
    .init("status-of-two-digits", .malformed, writes: "HTTP/1.1 99 Low\r\n\(body)"),
    .init("status-of-four-digits", .malformed, writes: "HTTP/1.1 2000 High\r\n\(body)"),
    .init("status-of-letters", .malformed, writes: "HTTP/1.1 abc Letters\r\n\(body)"),
    .init("negative-status", .malformed, writes: "HTTP/1.1 -200 Minus\r\n\(body)"),
    .init("no-status", .malformed, writes: "HTTP/1.1\r\n\(body)"),
    .init("status-999", .status(999), writes: "HTTP/1.1 999 High\r\n\(body)"),
    .init("status-299", .status(299), writes: "HTTP/1.1 299 Odd\r\n\(body)"),
    .init("early-hints", .answer("hello"), writes: "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n\(ok)\(body)"),
    .init("continue-unasked", .answer("hello"), writes: "HTTP/1.1 100 Continue\r\n\r\n\(ok)\(body)"),
    .init(
      "hundred-interim-answers", .answer("hello"),
      writes: String(repeating: "HTTP/1.1 102 Busy\r\n\r\n", count: 100) + ok + body),
    .init(
      "interim-answer-with-length", .answer("hello"),
      writes: "HTTP/1.1 103 Early\r\nContent-Length: 7\r\n\r\n\(ok)\(body)"),
    .init("only-interim", .cut, writes: "HTTP/1.1 103 Early\r\n\r\n"),
    .init("switching-unasked", .malformed, writes: "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nhello"),
    .init(
      "unauthorized", .status(401),
      writes: "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\(body)"),
    .init(
      "unauthorized-oddly", .status(401),
      writes: "HTTP/1.1 401 Who\r\nWWW-Authenticate: \"\"\",,=;;\r\n\(body)"),
    .init(
      "proxy-authentication", .status(407), writes: "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic\r\n\(body)"
    ),
    .init("busy", .status(503), writes: "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\n\(body)"),
    .init("failed-and-cut", .status(500), writes: "HTTP/1.1 500 Oh\r\nContent-Length: 50\r\n\r\nhello"),
  ]

  /// Control characters, and characters beyond ASCII.
  static let characters: [HostileBehaviour] = [
    .init("escape-in-field", .answer("hello"), writes: "\(ok)X-Escape: \u{1B}]0;owned\u{7}\r\n\(body)"),
    .init("escape-in-body", .answer("\u{1B}[2J"), writes: "\(ok)Content-Length: 4\r\n\r\n\u{1B}[2J"),
    .init("utf8-field", .answer("hello"), writes: "\(ok)X-Name: zoë \u{1F600}\r\n\(body)"),
    .init(
      "latin1-field", .answer("hello"),
      writes: Array("\(ok)X-Name: zo".utf8) + [0xEB] + Array("\r\n\(body)".utf8)),
    .init(
      "latin1-field-name", .answer("hello"), .malformed,
      writes: Array(ok.utf8) + [0xEB] + Array(": 1\r\n\(body)".utf8)),
    .init("combining-mark-after-colon", .answer("hello"), writes: "\(ok)X-Mark:\u{301} a\r\n\(body)"),
    .init("combining-mark-first", .answer("hello"), .malformed, writes: "\(ok)\u{301}X-Mark: a\r\n\(body)"),
    .init("bidirectional-field", .answer("hello"), writes: "\(ok)X-Bidi: \u{202E}abc\r\n\(body)"),
    .init("zeros-in-body", .answer("\0\0\0"), writes: "\(ok)Content-Length: 3\r\n\r\n\0\0\0"),
  ]
}
