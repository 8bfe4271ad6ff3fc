import Foundation

/// An absolute `http` or `https` address, taken apart as bytes.
///
/// What an address may not hold as it is, such as spaces and letters beyond ASCII, is escaped; a host beyond ASCII is
/// written as IDNA says. What would change who is asked is refused.
struct HTTPAddress: Hashable, Sendable {
  enum Problem: String, Error {
    case scheme = "it begins with neither http:// nor https://"
    case host = "it has no valid host"
    case port = "its port is not a number from 1 to 65535"
    case character = "it holds a control character"
  }

  /// Who answers: the same for two addresses exactly if both lead to one server by one protocol.
  struct Origin: Hashable, Sendable {
    var scheme: String
    var host: String
    var port: Int
  }

  /// `http` or `https`.
  var scheme: String
  /// What stands before the host, without its `@`; `nil` if there is none.
  var credentials: String?
  /// In lower case; an IPv6 address in brackets.
  var host: String
  /// `nil` for the scheme's own.
  var port: Int?
  /// Begins with a slash.
  var path: String
  /// Begins with a question mark, unless it is empty.
  var query: String
  /// Begins with a number sign, unless it is empty. It is not sent.
  var fragment: String

  var origin: Origin { Origin(scheme: scheme, host: host, port: port ?? (scheme == "https" ? 443 : 80)) }

  /// The address without credentials and fragment.
  var sent: String { "\(scheme)://\(authority)\(path)\(query)" }

  /// The address without credentials.
  var shown: String { sent + fragment }

  /// The value of an `Authorization` field that the credentials ask for.
  var authorization: String? {
    guard let credentials else { return nil }
    let halves = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let plain = halves.map { $0.removingPercentEncoding ?? String($0) }
    return "Basic " + Data("\(plain[0]):\(plain.count > 1 ? plain[1] : "")".utf8).base64EncodedString()
  }

  private var authority: String { port.map { "\(host):\($0)" } ?? host }

  init(_ text: String) throws(Problem) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .character }
    let scheme = ["http", "https"].first { scheme in
      let start = bytes.prefix(scheme.utf8.count + 3).map { (65...90).contains($0) ? $0 + 32 : $0 }
      return start.elementsEqual("\(scheme)://".utf8)
    }
    guard let scheme else { throw .scheme }
    let rest = bytes.dropFirst(scheme.utf8.count + 3)
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    var authority = rest[..<end]
    var credentials: String?
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      credentials = String(decoding: authority[..<at], as: UTF8.self)
      authority = authority[(at + 1)...]
    }
    let (host, port) = try Self.hostAndPort(authority)
    self.init(scheme: scheme, credentials: credentials, host: host, port: port, rest: rest[end...])
  }

  private init(scheme: String, credentials: String?, host: String, port: Int?, rest: ArraySlice<UInt8>) {
    let number = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    let question = rest[..<number].firstIndex(of: UInt8(ascii: "?")) ?? number
    self.scheme = scheme
    self.credentials = credentials
    self.host = host
    self.port = port
    path = question == rest.startIndex ? "/" : Self.escaped(rest[..<question])
    query = Self.escaped(rest[question..<number])
    fragment = Self.escaped(rest[number...])
  }

  /// The address that `reference` means on a page at this address (RFC 3986, section 5.2).
  func resolving(_ reference: String) throws(Problem) -> HTTPAddress {
    let bytes = Array(reference.utf8)
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .character }
    var result: HTTPAddress
    if Self.hasScheme(bytes) {
      result = try HTTPAddress(reference)
    } else if bytes.starts(with: "//".utf8) {
      result = try HTTPAddress("\(scheme):\(reference)")
    } else {
      var rest = bytes
      switch bytes.first {
      case UInt8(ascii: "/"): break
      case UInt8(ascii: "?"): rest = Array(path.utf8) + bytes
      case UInt8(ascii: "#"), nil: rest = Array((path + query).utf8) + bytes
      default:
        let base = Array(path.utf8)
        rest = base[...(base.lastIndex(of: UInt8(ascii: "/")) ?? 0)] + bytes
      }
      result = HTTPAddress(scheme: scheme, credentials: credentials, host: host, port: port, rest: rest[...])
    }
    result.path = Self.withoutDotSegments(result.path)
    if result.fragment.isEmpty { result.fragment = fragment }
    return result
  }

  private static func hasScheme(_ bytes: [UInt8]) -> Bool {
    guard let end = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }), bytes[end] == UInt8(ascii: ":")
    else {
      return false
    }
    return end > 0
  }

  private static func hostAndPort(_ authority: ArraySlice<UInt8>) throws(Problem) -> (String, Int?) {
    let host: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
      host = authority[...end]
      rest = authority[(end + 1)...]
      let isAddress = host.dropFirst().dropLast().allSatisfy { byte in
        "0123456789abcdefABCDEF:.".utf8.contains(byte) || "%_-~".utf8.contains(byte) || Self.isLetter(byte)
      }
      guard isAddress, host.contains(UInt8(ascii: ":")) else { throw .host }
    } else {
      let colon = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      host = authority[..<colon]
      rest = authority[colon...]
    }
    let name = try self.host(named: host)
    guard let colon = rest.first else { return (name, nil) }
    let digits = rest.dropFirst()
    guard colon == UInt8(ascii: ":"), digits.allSatisfy({ (48...57).contains($0) }) else { throw .port }
    guard !digits.isEmpty else { return (name, nil) }
    guard let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port) else {
      throw .port
    }
    return (name, port)
  }

  private static func host(named bytes: ArraySlice<UInt8>) throws(Problem) -> String {
    var name = String(decoding: bytes, as: UTF8.self).lowercased()
    if bytes.first == UInt8(ascii: "[") { return name }
    if !bytes.allSatisfy({ $0 < 0x80 }) { name = URL(string: "http://\(name)/")?.host?.lowercased() ?? "" }
    let isValid = name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || "-._~".utf8.contains($0) }
    guard isValid, !name.isEmpty else { throw .host }
    return name
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in bytes {
      if byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte) {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// RFC 3986, section 5.2.4, of a path that begins with a slash.
  private static func withoutDotSegments(_ path: String) -> String {
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    var kept: [Substring.UTF8View] = []
    for (number, segment) in segments.enumerated() {
      let isLast = number == segments.count - 1
      switch String(segment) {
      case "..":
        _ = kept.popLast()
        if isLast { kept.append(Substring().utf8) }
      case ".": if isLast { kept.append(Substring().utf8) }
      default: kept.append(segment)
      }
    }
    return kept.map { "/" + (String($0) ?? "") }.joined()
  }
}
