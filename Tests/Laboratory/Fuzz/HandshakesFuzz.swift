@testable import MillraceHTTP

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
