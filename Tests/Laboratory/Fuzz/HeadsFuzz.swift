import Foundation

@testable import MillraceHTTP

private func fuzzHead(_ bytes: [UInt8]) -> HTTPHead? {
  var reader = HTTPHeadReader()
  for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
    switch reader.lineArrived(line + [10]) {
    case .goOn, .interim: continue
    case .head(let head): return head
    case .fail: return nil
    }
  }
  return nil
}

/// What is read of a head reads back as it is written, and every part of it can be asked for.
func fuzzHeads(_ bytes: [UInt8]) {
  guard let head = fuzzHead(bytes) else { return }
  let lines = head.headers.lines
  check(
    lines.allSatisfy { !$0.value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 } },
    "a value with a line end")
  let text = "HTTP/1.1 \(head.status)\r\n" + lines.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
  check(fuzzHead(Array(text.utf8)) == head, "\(text) reads back otherwise")
  for method in ["GET", "HEAD"] {
    if let framing = try? BodyFraming(head, method: method), let length = framing.length {
      check(length >= 0, "a negative length")
    }
    guard
      let message = try? HTTPMessage(
        HTTPRequest("http://a/", method: method), body: .none, hasOwnConnection: false)
    else { return check(false, "no message") }
    var exchange = HTTPExchange(HTTPRequest("http://a/", method: method), message: message)
    if case .end(.failure(let failure)) = exchange.headArrived(head) { _ = failure.retryDelay }
    _ = exchange.ended(nil)
  }
  let shown = HTTPResponse(status: head.status, headers: head.headers).headers.description
  check(!shown.utf8.contains { $0 < 32 && $0 != 10 }, "a control character is shown")
  _ = RetryAfter.delay(in: head.headers)
}
