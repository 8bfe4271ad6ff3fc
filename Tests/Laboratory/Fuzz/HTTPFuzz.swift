import Foundation
import LinkcheckReaders

@testable import MillraceHTTP

/// An address has one spelling, which leads to one server; a link on it is an address or none.
func fuzzAddresses(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let lines = text.utf8.split(separator: 10, maxSplits: 1).map { String(Substring($0)) }
  let parts = URLReference(text)
  check(URLReference(parts.description).description == parts.description, "parts are cut otherwise again")
  _ = HTTPFailure.badURL(text).description
  guard let first = lines.first else { return }
  if let address = try? HTTPAddress(first) {
    check(address.sent.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(address.sent) is not sent as it is")
    let again = try? HTTPAddress(address.sent)
    check(again?.sent == address.sent, "\(address.sent) becomes \(again?.sent ?? "none")")
    check(again?.origin == address.origin, "\(address.sent) leads to another server")
    if let target = try? address.resolving(lines.last ?? "") {
      check((try? HTTPAddress(target.sent))?.sent == target.sent, "\(target.sent) is no address")
    }
    if let secret = address.credentials, secret.utf8.count > 8 {
      let shown = URLReference(Redaction.address(first)).authority ?? ""
      check(!shown.contains(secret), "the secret \(secret) is shown")
    }
  }
  if let page = Address(first) {
    check(Address(page.text) == page, "\(page.text) has another spelling")
    if case .address(let target) = page.resolving(lines.last ?? "") {
      check(Address(target.text) == target, "\(target.text) has another spelling")
    }
  }
  let path = [UInt8(ascii: "/")] + bytes.filter { $0 != 0 }
  check(Address(file: path).filePath == path, "a path is another file's")
}

private let steps: [[BodyCoding.Step]] = [
  [.gzip], [.deflate], [.gzip, .gzip], [.deflate, .gzip], [.gzip, .deflate], [.gzip, .gzip, .gzip],
]

/// Decodes up to a megabyte. Returns it, and whether it came to an end.
private func decoded(_ parts: [[UInt8]], _ steps: [BodyCoding.Step]) -> (body: Data, isWhole: Bool) {
  var decoder = BodyDecoder(.steps(steps))
  var body = Data()
  do {
    for part in parts where !part.isEmpty {
      decoder.received(Data(part))
      while let more = try decoder.next() {
        check(more.count <= Inflation.largestPart, "a part that is too large")
        body += more
        if body.count > 1 << 20 { return (body.prefix(1 << 20), true) }
      }
    }
    try decoder.finish()
    return (body, true)
  } catch { return (body, false) }
}

/// A coded body is the same in any parts, and what is stored in it comes out.
func fuzzCodings(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let (rest, steps) = (Array(bytes.dropFirst()), steps[Int(first) % steps.count])
  let (whole, parts) = (decoded([rest], steps), decoded(cut(rest), steps))
  check(whole.isWhole == parts.isWhole, "parts end otherwise")
  if whole.isWhole { check(whole.body == parts.body, "parts give another body") }
  let content = rest.prefix(65_535)
  let size = [UInt8(content.count & 255), UInt8(content.count >> 8)]
  let stored = [1] + size + size.map { ~$0 } + content
  let body = decoded(cut(stored), [.deflate])
  // What looks as the head of zlib is taken for it.
  let hasHead = stored[0] & 15 == 8
  check(hasHead || (body.isWhole && body.body == Data(content)), "what is stored comes out otherwise")
}

/// Messages are the same in any parts, and a frame that is written reads back.
func fuzzFrames(_ bytes: [UInt8]) {
  let (largest, most) = (1 << (4 + bytes.count & 15), 8)
  var whole = WebSocketReader(largestMessage: largest, mostFragments: most)
  var parts = WebSocketReader(largestMessage: largest, mostFragments: most)
  let items = whole.received(bytes)
  check(cut(bytes).flatMap { parts.received($0) } == items, "parts give other messages")
  check(whole.failure == parts.failure && whole.isClosed == parts.isClosed, "parts end otherwise")
  var reader = WebSocketReader(largestMessage: bytes.count)
  var frame = WebSocketFrame.whole(.binary, mask: nil, bytes)
  check(reader.received(frame) == [.message(.binary(.init(bytes)))], "a frame reads back otherwise")
  frame = WebSocketFrame.whole(.binary, mask: 0x1234_5678, bytes)
  WebSocketFrame.apply(0x1234_5678, to: &frame, from: frame.count - bytes.count)
  check(frame.suffix(bytes.count).elementsEqual(bytes), "a mask is not undone")
}

private func outcome(_ parts: [[UInt8]]) -> WebSocketHandshake.Next {
  let request = WebSocketRequest("ws://example.org/", subprotocols: ["a", "b"])
  guard var handshake = try? WebSocketHandshake(request, key: Array("the sample nonce".utf8)) else {
    return .goOn
  }
  for (index, part) in parts.enumerated() {
    switch handshake.received(part) {
    case .goOn: continue
    case .open(let subprotocol, let rest):
      return .open(subprotocol: subprotocol, rest: rest + parts[(index + 1)...].joined())
    case .fail(let failure): return .fail(failure)
    }
  }
  return .goOn
}

/// The answer to a handshake is the same in any parts, and so is what follows it.
func fuzzHandshakes(_ bytes: [UInt8]) {
  check(outcome([bytes]) == outcome(cut(bytes)), "parts give another outcome")
}

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
