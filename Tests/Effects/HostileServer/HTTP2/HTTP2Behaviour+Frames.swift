extension HTTP2Behaviour {
  /// Heads that are none.
  static let heads: [HTTP2Behaviour] = [
    head("no-status", [("x-a", "1")]),
    head("two-statuses", [ok, (":status", "201")]),
    head("status-of-letters", [(":status", "abc")]),
    head("status-of-two-digits", [(":status", "99")]),
    head("status-of-four-digits", [(":status", "2000")]),
    head("status-after-fields", [("x-a", "1"), ok]),
    head("switching", [(":status", "101")]),
    head("unknown-pseudo-field", [ok, (":colour", "red")]),
    head("request-field", [ok, (":path", "/")]),
    head("capital-name", [ok, ("X-Name", "1")]),
    head("empty-name", [ok, ("", "1")]),
    head("name-with-line-end", [ok, ("x-a\r\nx-b", "1")]),
    head("value-with-line-end", [ok, ("x-a", "1\r\nx-b: 2")]),
    head("value-with-zero", [ok, ("x-a", "a\0b")]),
    head("connection-field", [ok, ("connection", "close")]),
    head("transfer-coding", [ok, ("transfer-encoding", "chunked")]),
    head("bad-index", raw: [0xFF, 0xFF, 0xFF, 0x7F]),
    head("endless-number", raw: [0x7F] + [UInt8](repeating: 0xFF, count: 20)),
    head("cut-field", raw: [0x88, 0x00, 0x7F]),
    head("table-too-large", raw: [0x3F, 0xFF, 0xFF, 0xFF, 0x07, 0x88]),
  ]

  /// Frames that are not allowed, or not allowed there.
  static let frames: [HTTP2Behaviour] = [
    .init("no-frames", .malformed, next: .another) { http, _ in
      http.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    },
    wrong("frame-too-large") { $0.send(.data, stream: $1, [UInt8](repeating: 97, count: 16_385)) },
    wrong("body-on-no-stream") { http, _ in http.sendBody(0, "hello") },
    wrong("head-on-no-stream") { http, _ in http.sendHead(0, [ok]) },
    wrong("head-on-even-stream") { http, _ in http.sendHead(2, [ok]) },
    wrong("body-before-head") { $0.sendBody($1, "hello") },
    wrong("push-unasked") {
      $0.send(
        .push, flags: HTTP2.Flag.endHeaders, stream: $1,
        HTTP2.number(2)
          + HTTP2.fields([(":method", "GET"), (":path", "/"), (":scheme", "http"), (":authority", "a")]))
    },
    wrong("continuation-of-nothing") {
      $0.send(.continuation, flags: HTTP2.Flag.endHeaders, stream: $1, HTTP2.fields([ok]))
    },
    wrong("head-interrupted") {
      $0.sendHead($1, [ok], flags: 0)
      $0.send(.ping, [UInt8](repeating: 0, count: 8))
    },
    wrong("padding-too-long") { $0.send(.data, flags: HTTP2.Flag.padded, stream: $1, [200, 97]) },
    wrong("settings-of-odd-length") { http, _ in http.send(.settings, [0, 1, 0]) },
    wrong("settings-on-stream") { $0.send(.settings, stream: $1) },
    wrong("acknowledgement-with-content") { http, _ in
      http.send(.settings, flags: HTTP2.Flag.acknowledged, [0, 3, 0, 0, 0, 1])
    },
    wrong("settings-out-of-range") { http, _ in http.send(.settings, [0, 5, 0, 0, 0, 1]) },
    wrong("window-too-large") { http, _ in http.send(.settings, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF]) },
    wrong("ping-of-odd-length") { http, _ in http.send(.ping, [1, 2, 3]) },
    wrong("window-update-of-nothing") { http, _ in http.send(.windowUpdate, HTTP2.number(0)) },
    wrong("window-update-too-large") { http, _ in
      for _ in 0..<3 { http.send(.windowUpdate, HTTP2.number(0x7FFF_FFFF)) }
    },
    wrong("reset-of-odd-length") { $0.send(.reset, stream: $1, [0]) },
    wrong("reset-of-no-stream") { http, _ in http.send(.reset, stream: 0, HTTP2.number(1)) },
    .init("unknown-frames", .answer("hello"), next: .same) {
      $0.connection.write(HTTP2.frame(200, stream: $1, [1, 2, 3]))
      $0.connection.write(HTTP2.frame(201, stream: 0))
      $0.answer($1, "hello")
    },
    .init("priority", .answer("hello"), next: .same) {
      $0.send(.priority, stream: $1, [0, 0, 0, 0, 1])
      $0.answer($1, "hello")
    },
    .init("settings-again", .answer("hello"), next: .same) {
      $0.send(.settings, [0, 3, 0, 0, 0, 100])
      $0.answer($1, "hello")
    },
    .init("one-stream-at-most", .answer("hello"), next: .either) {
      $0.send(.settings, [0, 3, 0, 0, 0, 1])
      $0.answer($1, "hello")
    },
    .init("head-in-continuations", .answer("hello"), next: .same) {
      let fields = HTTP2.fields([ok, ("x-a", "1"), ("content-length", "5")])
      $0.send(.headers, stream: $1, Array(fields.prefix(4)))
      $0.send(.continuation, stream: $1, Array(fields[4..<9]))
      $0.send(.continuation, flags: HTTP2.Flag.endHeaders, stream: $1, Array(fields[9...]))
      $0.sendBody($1, "hello")
    },
  ]

  /// Servers that never stop, or say much that means nothing.
  static let floods: [HTTP2Behaviour] = [
    .init("pings", .answer("hello"), next: .either) {
      for _ in 0..<100 { $0.send(.ping, [UInt8](repeating: 1, count: 8)) }
      $0.answer($1, "hello")
    },
    .init("settings-flood", .malformed, .answer("hello"), next: .either) {
      for _ in 0..<5_000 { $0.send(.settings) }
      $0.answer($1, "hello")
    },
    .init("pings-without-end", .malformed, .cut, next: .either, closes: true) { http, _ in
      for _ in 0..<200_000 where http.send(.ping, [UInt8](repeating: 1, count: 8)) {}
    },
    .init("body-without-end", .tooLarge, next: .either) {
      $0.sendHead($1, [ok])
      let part = String(repeating: "a", count: 16_000)
      for _ in 0..<40 where $0.sendBody($1, part, ends: false) {}
    },
    // The end of the connection may come before the client has looked at the flood.
    .init("fields-without-end", .malformed, .cut, next: .either, closes: true) {
      $0.send(.headers, stream: $1, HTTP2.fields([ok]))
      let part = HTTP2.fields((0..<500).map { ("x-field-\($0)", "value") })
      for _ in 0..<200 where $0.send(.continuation, stream: $1, part) {}
    },
    .init("empty-continuations-without-end", .malformed, .cut, next: .either, closes: true) {
      $0.send(.headers, stream: $1, HTTP2.fields([ok]))
      for _ in 0..<20_000 where $0.send(.continuation, stream: $1) {}
    },
  ]

  private static func head(_ name: String, _ fields: [(String, String)]) -> HTTP2Behaviour {
    HTTP2Behaviour(name, .malformed, next: .either) {
      $0.sendHead($1, fields)
      $0.sendBody($1, "hello")
    }
  }

  private static func head(_ name: String, raw bytes: [UInt8]) -> HTTP2Behaviour {
    HTTP2Behaviour(name, .malformed, next: .another) {
      $0.send(.headers, flags: HTTP2.Flag.endHeaders, stream: $1, bytes)
      $0.sendBody($1, "hello")
    }
  }

  private static func wrong(
    _ name: String, script: @escaping @Sendable (HTTP2Connection, UInt32) -> Void
  ) -> HTTP2Behaviour {
    HTTP2Behaviour(name, .malformed, next: .another, script: script)
  }
}
