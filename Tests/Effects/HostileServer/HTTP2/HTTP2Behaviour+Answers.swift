extension HTTP2Behaviour {
  static let ok = (":status", "200")

  /// Answers that are whole, and bodies that contradict their heads.
  static let answers: [HTTP2Behaviour] = [
    .init("answer", .answer("hello"), next: .same) { $0.answer($1, "hello") },
    .init("empty-answer", .answer(""), next: .same) { $0.sendHead($1, [ok], ends: true) },
    .init("body-without-length", .answer("hello"), next: .same) {
      $0.sendHead($1, [ok])
      $0.sendBody($1, "hello")
    },
    .init("body-in-parts", .answer("hello"), next: .same) {
      $0.sendHead($1, [ok])
      for letter in "hell" { $0.sendBody($1, String(letter), ends: false) }
      $0.sendBody($1, "o")
    },
    .init("empty-parts", .answer("hello"), next: .same) {
      $0.sendHead($1, [ok])
      for _ in 0..<100 { $0.sendBody($1, "", ends: false) }
      $0.sendBody($1, "hello")
    },
    .init("padded-body", .answer("hello"), next: .same) {
      $0.sendHead($1, [ok])
      $0.send(
        .data, flags: HTTP2.Flag.padded | HTTP2.Flag.endStream, stream: $1,
        [3] + Array("hello".utf8) + [0, 0, 0])
    },
    .init("trailer", .answer("hello"), next: .same) {
      $0.sendHead($1, [ok])
      $0.sendBody($1, "hello", ends: false)
      $0.sendHead($1, [("x-checksum", "1")], ends: true)
    },
    .init("interim-answer", .answer("hello"), next: .same) {
      $0.sendHead($1, [(":status", "103"), ("link", "</a>")])
      $0.answer($1, "hello")
    },
    .init("only-interim", .malformed, next: .either) { $0.sendHead($1, [(":status", "103")], ends: true) },
    .init("longer-than-announced", .malformed, next: .either) {
      $0.sendHead($1, [ok, ("content-length", "2")])
      $0.sendBody($1, "hello")
    },
    .init("shorter-than-announced", .malformed, next: .either) {
      $0.sendHead($1, [ok, ("content-length", "50")])
      $0.sendBody($1, "hello")
    },
    .init("two-lengths", .malformed, next: .either) {
      $0.sendHead($1, [ok, ("content-length", "5"), ("content-length", "6")])
      $0.sendBody($1, "hello")
    },
    .init("negative-length", .malformed, next: .either) {
      $0.sendHead($1, [ok, ("content-length", "-5")])
      $0.sendBody($1, "hello")
    },
    .init("head-with-body", .answer(""), .malformed, next: .either, method: "HEAD") {
      $0.answer($1, "hello")
    },
    .init("no-content-with-body", .status(204), .malformed, next: .either) {
      $0.sendHead($1, [(":status", "204")])
      $0.sendBody($1, "hello")
    },
    .init("not-modified-with-body", .status(304), .malformed, next: .either) {
      $0.sendHead($1, [(":status", "304")])
      $0.sendBody($1, "hello")
    },
    .init("second-answer-after-the-end", .answer("hello"), next: .either) {
      $0.answer($1, "hello")
      $0.answer($1, "evil")
    },
    .init("body-after-the-end", .answer("hello"), next: .either) {
      $0.answer($1, "hello")
      $0.sendBody($1, "evil")
    },
    .init("answer-to-no-request", .malformed, next: .either) {
      $0.answer($1 + 2, "evil")
      $0.answer($1, "hello")
    },
    .init("answer-to-a-later-request-first", .answer("hello"), next: .either) {
      $0.answer($1, "hello")
      $0.answer($1 + 2, "evil")
    },
    .init("second-head", .malformed, next: .either) {
      $0.sendHead($1, [ok])
      $0.sendHead($1, [ok])
      $0.sendBody($1, "hello")
    },
    .init("coded-body", .answer("hello"), next: .same) {
      let bytes = Gzip.stored("hello")
      $0.sendHead($1, [ok, ("content-encoding", "gzip")])
      $0.send(.data, flags: HTTP2.Flag.endStream, stream: $1, bytes)
    },
    .init("broken-code", .undecodable, next: .either) {
      $0.sendHead($1, [ok, ("content-encoding", "gzip")])
      $0.sendBody($1, "hello, this is plain text")
    },
    .init("not-found", .status(404), next: .either) {
      $0.sendHead($1, [(":status", "404")])
      $0.sendBody($1, "no")
    },
    .init("redirect-loop", .answer("next"), next: .same) {
      $0.sendHead($1, [(":status", "302"), ("location", "/")], ends: true)
    },
  ]

  /// Streams that end before their answers, by the server's word.
  static let resets: [HTTP2Behaviour] = [
    .init("reset-no-error", .cut, next: .either) { $0.reset($1, 0) },
    .init("reset-protocol-error", .malformed, next: .either) { $0.reset($1, 1) },
    .init("reset-internal-error", .cut, next: .either) { $0.reset($1, 2) },
    .init("reset-refused", .answer("next"), next: .either) { $0.reset($1, 7) },
    .init("reset-refused-post", .cut, next: .either, method: "POST") { $0.reset($1, 7) },
    .init("reset-cancel", .cut, next: .either) { $0.reset($1, 8) },
    .init("reset-calm", .cut, next: .either) { $0.reset($1, 11) },
    .init("reset-unknown-code", .cut, next: .either) { $0.reset($1, 999) },
    .init("reset-after-head", .cut, next: .either) {
      $0.sendHead($1, [ok])
      $0.reset($1, 2)
    },
    .init("reset-within-body", .cut, .malformed, next: .either) {
      $0.sendHead($1, [ok, ("content-length", "50")])
      $0.sendBody($1, "hello", ends: false)
      $0.reset($1, 0)
    },
    .init("reset-after-the-end", .answer("hello"), next: .either) {
      $0.answer($1, "hello")
      $0.reset($1, 0)
    },
  ]

  /// Connections that end.
  static let goings: [HTTP2Behaviour] = [
    .init("closed", .cut, next: .another, closes: true) { _, _ in },
    .init("closed-after-head", .cut, next: .another, closes: true) { $0.sendHead($1, [ok]) },
    .init("closed-within-body", .cut, next: .another, closes: true) {
      $0.sendHead($1, [ok, ("content-length", "50")])
      $0.sendBody($1, "hello", ends: false)
    },
    .init("closed-within-frame", .cut, .malformed, next: .another, closes: true) {
      $0.sendHead($1, [ok])
      $0.send(.data, stream: $1, Array("hello".utf8), length: 50)
    },
    .init("closed-after-answer", .answer("hello"), .cut, next: .another, closes: true) {
      $0.answer($1, "hello")
    },
    .init("connection-reset", .cut, next: .another) { http, _ in http.connection.reset() },
    .init("connection-reset-within-body", .cut, next: .another) {
      $0.sendHead($1, [ok])
      $0.sendBody($1, "hello", ends: false)
      $0.connection.flush()
      $0.connection.reset()
    },
    .init("going-away", .cut, .malformed, .answer("next"), next: .another, closes: true) { http, _ in
      http.goAway(last: 0, 0)
    },
    .init("going-away-with-error", .cut, .malformed, next: .another, closes: true) {
      $0.goAway(last: $1, 1, "no")
    },
    .init("going-away-after-answer", .answer("hello"), next: .either) {
      $0.answer($1, "hello")
      $0.goAway(last: $1, 0)
    },
    .init("going-away-before-answer", .answer("hello"), next: .another) {
      $0.goAway(last: $1, 0)
      $0.answer($1, "hello")
    },
    .init("mute", .endless, next: .another) { _, _ in },
    .init("silent", .endless, next: .another) { http, _ in http.connection.waitForClose() },
    // Which connection serves the next request depends on whether the head arrives before the time is up.
    .init("silent-after-head", .endless, next: .either) { $0.sendHead($1, [ok]) },
  ]
}
