import Foundation

/// The HTTP exchange that opens a WebSocket (section 4 of RFC 6455): makes the request, and checks the answer.
struct WebSocketHandshake {
  enum Next: Equatable {
    case goOn
    /// The server agrees. `rest` follows the head of the answer, and is the beginning of its frames.
    case open(subprotocol: String?, rest: [UInt8])
    case fail(WebSocketFailure)
  }

  /// The fields of the handshake itself, and those that would add a body to it.
  private static let reserved: Set<String> = [
    "host", "upgrade", "connection", "sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol",
    "sec-websocket-extensions", "content-length", "transfer-encoding",
  ]

  /// The address to connect to, with `http` or `https` instead of `ws` or `wss`.
  let address: HTTPAddress
  private let request: WebSocketRequest
  private let headers: HTTPHeaders
  /// 16 random bytes in Base64.
  private let key: String
  private var reader = HTTPHeadReader(acceptsSwitch: true)
  private var line: [UInt8] = []

  /// - Parameter key: 16 unpredictable bytes.
  /// - Throws: the part of the request that cannot be sent.
  init(_ request: WebSocketRequest, key: [UInt8]) throws(WebSocketFailure) {
    let shown = Self.shown(request.url, hiding: request.headers.secretNames)
    guard let url = Self.httpURL(request.url) else { throw .badURL(shown) }
    do throws(HTTPAddress.Problem) { address = try HTTPAddress(url) } catch { throw .badURL(shown) }
    for (name, value) in request.headers.lines {
      guard name.isToken, value.isFieldValue, !Self.reserved.contains(name) else {
        throw .http(.badField(name))
      }
    }
    guard request.subprotocols.allSatisfy(\.isToken),
      Set(request.subprotocols).count == request.subprotocols.count
    else { throw .http(.badField("sec-websocket-protocol")) }
    var headers = request.headers
    if headers["authorization"] == nil { headers["authorization"] = address.authorization }
    if headers["user-agent"] == nil { headers["user-agent"] = "Millrace" }
    self.request = request
    self.headers = headers
    self.key = Data(key).base64EncodedString()
  }

  /// The bytes of the request's head.
  var bytes: [UInt8] {
    var lines = [
      "GET \(address.path)\(address.query) HTTP/1.1",
      "Host: \(address.port.map { "\(address.host):\($0)" } ?? address.host)",
      "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    ]
    if !request.subprotocols.isEmpty {
      lines.append("Sec-WebSocket-Protocol: \(request.subprotocols.joined(separator: ", "))")
    }
    lines += headers.lines.map { "\($0.name): \($0.value)" }
    return Array(lines.joined(separator: "\r\n").utf8) + [13, 10, 13, 10]
  }

  /// Reads the next bytes of the answer. Must not be called again after a result other than `goOn`.
  mutating func received(_ bytes: some Collection<UInt8>) -> Next {
    for (offset, byte) in bytes.enumerated() {
      line.append(byte)
      guard byte == 10 || line.count > HTTPHeadReader.largest else { continue }
      defer { line.removeAll(keepingCapacity: true) }
      switch reader.lineArrived(line) {
      case .goOn, .interim: continue
      case .head(let head): return answered(head, rest: Array(bytes.dropFirst(offset + 1)))
      case .fail(let failure): return .fail(.http(failure))
      }
    }
    return .goOn
  }

  private func answered(_ head: HTTPHead, rest: [UInt8]) -> Next {
    guard head.status == 101 else {
      var headers = head.headers
      headers.secretNames = request.headers.secretNames
      return .fail(.http(.statusNotAccepted(status: head.status, headers: headers, excerpt: "")))
    }
    guard head.headers.items(of: "upgrade") == ["websocket"],
      head.headers.items(of: "connection").contains("upgrade")
    else { return .fail(.notAWebSocket("it switches to another protocol")) }
    guard head.headers.values(of: "sec-websocket-accept") == [Self.accept(key)] else {
      return .fail(.notAWebSocket("it has not read the key"))
    }
    guard head.headers["sec-websocket-extensions"] ?? "" == "" else {
      return .fail(.notAWebSocket("it chose an extension that was not offered"))
    }
    let chosen = head.headers.values(of: "sec-websocket-protocol")
    guard chosen.count <= 1, chosen.allSatisfy(request.subprotocols.contains) else {
      return .fail(.notAWebSocket("it chose a subprotocol that was not offered"))
    }
    return .open(subprotocol: chosen.first, rest: rest)
  }

  /// Returns the value of the accepting field for a key.
  static func accept(_ key: String) -> String {
    Data(SHA1.digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
  }

  /// Returns an address with `http` instead of `ws` and `https` instead of `wss`; `nil` for any other scheme.
  static func httpURL(_ url: String) -> String? {
    let scheme = url.prefix { $0 != ":" }
    switch scheme.lowercased() {
    case "ws": return "http" + url.dropFirst(scheme.count)
    case "wss": return "https" + url.dropFirst(scheme.count)
    default: return nil
    }
  }

  /// Returns an address for people: without credentials, and without the values of items with one of `names`.
  static func shown(_ url: String, hiding names: Set<String>) -> String {
    guard let http = httpURL(url) else { return Redaction.address(url, hiding: names) }
    return "ws" + Redaction.address(http, hiding: names).dropFirst(4)
  }
}
