extension HostileBehaviour {
  private static let evil = "\(ok)Content-Length: 4\r\n\r\nevil"
  private static let page = "\(ok)Content-Length: 5\r\n\r\nhello"

  /// Whole answers, followed by bytes that no request has asked for, on connections that stay open.
  static let leftovers: [HostileBehaviour] = [
    leftover("second-answer-kept", .answer("hello"), page, evil),
    leftover("second-answer-later", .answer("hello"), page, evil, isLater: true),
    leftover("third-answer-later", .answer("hello"), page, evil + evil, isLater: true),
    leftover("line-end-later", .answer("hello"), page, "\r\n", isLater: true),
    leftover("byte-later", .answer("hello"), page, "x", isLater: true),
    leftover("rest-of-longer-body", .answer("hello"), page, ", and more"),
    leftover("rest-of-longer-body-later", .answer("hello"), page, ", and more", isLater: true),
    leftover("answer-in-longer-body", .answer("hello"), page, String(repeating: evil, count: 10_000)),
    leftover("interim-answer-later", .answer("hello"), page, "HTTP/1.1 103 Early\r\n\r\n", isLater: true),
    leftover(
      "timeout-answer-later", .answer("hello"), page, "HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n",
      isLater: true),
    leftover(
      "answer-after-last-chunk", .answer("hello"),
      "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", evil),
    leftover(
      "answer-after-last-chunk-later", .answer("hello"),
      "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", evil, isLater: true),
    leftover("answer-after-empty-body", .answer(""), "\(ok)Content-Length: 0\r\n\r\n", evil),
    leftover(
      "answer-after-empty-body-later", .answer(""), "\(ok)Content-Length: 0\r\n\r\n", evil, isLater: true),
    leftover("no-content-with-answer", .status(204), "HTTP/1.1 204 None\r\n\r\n", evil, isLater: true),
    leftover(
      "no-content-with-length-kept", .status(204), "HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n", "hello"),
    leftover(
      "no-content-with-length-later", .status(204), "HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n", "hello",
      isLater: true),
    leftover(
      "no-content-in-chunks", .status(204), "HTTP/1.1 204 None\r\nTransfer-Encoding: chunked\r\n\r\n",
      "5\r\nhello\r\n0\r\n\r\n"),
    leftover(
      "not-modified-with-body", .status(304), "HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n", "hello"),
    leftover(
      "not-modified-with-answer", .status(304), "HTTP/1.1 304 Same\r\nContent-Length: 64\r\n\r\n", evil,
      isLater: true),
    leftover("head-with-body", .answer(""), page, "", method: "HEAD"),
    leftover(
      "head-with-body-later", .answer(""), "\(ok)Content-Length: 5\r\n\r\n", "hello", isLater: true,
      method: "HEAD"),
    leftover(
      "head-with-answer-as-body", .answer(""), "\(ok)Content-Length: 43\r\n\r\n", evil, method: "HEAD"),
    leftover(
      "head-with-answer-as-body-later", .answer(""), "\(ok)Content-Length: 43\r\n\r\n", evil, isLater: true,
      method: "HEAD"),
    leftover(
      "head-with-chunks", .answer(""), "\(ok)Transfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n",
      method: "HEAD"),
    leftover(
      "head-with-large-body", .answer(""), "\(ok)Content-Length: 430000\r\n\r\n",
      String(repeating: evil, count: 10_000), method: "HEAD"),
    leftover("head-without-length-with-body", .answer(""), "\(ok)\r\n", evil, method: "HEAD"),
    leftover(
      "head-not-found-with-body", .status(404), "HTTP/1.1 404 No\r\nContent-Length: 43\r\n\r\n", evil,
      method: "HEAD"),
    leftover(
      "redirect-with-longer-body", .answer("hello"),
      "HTTP/1.1 302 Moved\r\nLocation: /length\r\nContent-Length: 2\r\n\r\nmo", "ved" + evil),
    leftover(
      "error-page-with-longer-body", .status(404), "HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno", evil),
    .init("closed-when-idle", .answer("hello"), next: .another) { connection, _ in connection.write(page) },
    .init("reset-when-idle", .answer("hello"), next: .another) { connection, _ in
      connection.write(page)
      connection.isTaken()
      connection.reset()
    },
  ]

  /// - Parameter isLater: whether the rest is written when the client has read the answer.
  private static func leftover(
    _ name: String, _ ending: Ending, _ answer: String, _ rest: String, isLater: Bool = false,
    method: String = "GET"
  ) -> HostileBehaviour {
    // What is read together with the answer may be dropped with it, and the connection is as good as new.
    HostileBehaviour(name, ending, keepsConnection: true, next: isLater ? .another : .either, method: method)
    { connection, _ in
      if isLater {
        connection.write(answer)
        connection.isTaken()
        connection.write(rest)
      } else {
        connection.write(answer + rest)
      }
    }
  }
}
