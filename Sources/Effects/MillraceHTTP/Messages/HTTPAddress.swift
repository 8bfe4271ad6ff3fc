import Foundation

/// An absolute `http` or `https` address.
///
/// Characters that an address may not contain, such as spaces and letters beyond ASCII, are escaped. A host beyond
/// ASCII is written as IDNA requires, and segments of dots are removed from the path. Anything that could change the
/// server that is asked is refused.
package struct HTTPAddress: Hashable, Sendable {
  package enum Problem: String, Error {
    case scheme = "it begins with neither http:// nor https://"
    case host = "it has no valid host"
    case port = "its port is not a number from 1 to 65535"
    case character = "it holds a control character"
  }

  /// The origin. Two addresses have equal origins exactly if both lead to one server by one protocol.
  struct Origin: Hashable, Sendable {
    var scheme: String
    var host: String
    var port: Int
  }

  /// `http` or `https`.
  var scheme: String
  /// The user information before the host, without its `@`; `nil` if there is none.
  var credentials: String?
  /// In lower case. An IPv6 address is in brackets.
  var host: String
  /// The port; `nil` for the scheme's own.
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

  /// The value of an `Authorization` field with the credentials.
  var authorization: String? {
    guard let credentials else { return nil }
    let halves = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let plain = halves.map { $0.removingPercentEncoding ?? String($0) }
    return "Basic " + Data("\(plain[0]):\(plain.count > 1 ? plain[1] : "")".utf8).base64EncodedString()
  }

  /// The host, with its port if that is not the scheme's own.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  init(_ text: String) throws(Problem) {
    guard Self.isWithoutControls(text) else { throw .character }
    try self.init(URLReference(text))
  }

  private init(_ reference: URLReference) throws(Problem) {
    guard let scheme = reference.scheme, scheme == "http" || scheme == "https",
      let authority = reference.authority
    else { throw .scheme }
    self.scheme = scheme
    var place = Array(authority.utf8)[...]
    if let at = place.lastIndex(of: UInt8(ascii: "@")) {
      credentials = String(decoding: place[..<at], as: UTF8.self)
      place = place[(at + 1)...]
    }
    (host, port) = try Self.hostAndPort(place)
    path = reference.path.isEmpty ? "/" : Self.escaped(DotSegments.removed(from: reference.path))
    query = reference.query.map { "?" + Self.escaped($0) } ?? ""
    fragment = reference.fragment.map { "#" + Self.escaped($0) } ?? ""
  }

  /// Returns the address of a link on a page at this address. A link without a fragment gets the fragment of this
  /// address.
  func resolving(_ link: String) throws(Problem) -> HTTPAddress {
    guard Self.isWithoutControls(link) else { throw .character }
    var base = URLReference(sent)
    base.authority = Substring((credentials.map { $0 + "@" } ?? "") + authority)
    var result = try HTTPAddress(URLReference(link).resolved(against: base))
    if result.fragment.isEmpty { result.fragment = fragment }
    return result
  }

  private static func isWithoutControls(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// Splits an authority without credentials. A host has one spelling, which `host` describes.
  package static func hostAndPort(
    _ authority: ArraySlice<UInt8>
  ) throws(Problem) -> (host: String, port: Int?) {
    let host: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
      host = authority[...end]
      rest = authority[(end + 1)...]
      let isAddress = host.dropFirst().dropLast().allSatisfy { byte in
        "0123456789abcdefABCDEF:.".utf8.contains(byte) || "%_-~".utf8.contains(byte)
          || URLReference.isLetter(byte)
      }
      guard isAddress, host.contains(UInt8(ascii: ":")) else { throw .host }
    } else {
      let colon = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      host = authority[..<colon]
      rest = authority[colon...]
    }
    let text = String(decoding: host, as: UTF8.self)
    guard let name = host.first == UInt8(ascii: "[") ? text.lowercased() : HostName.plain(text)
    else { throw .host }
    guard let colon = rest.first else { return (name, nil) }
    let digits = rest.dropFirst()
    guard colon == UInt8(ascii: ":"), digits.allSatisfy({ (48...57).contains($0) }) else { throw .port }
    guard !digits.isEmpty else { return (name, nil) }
    guard let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port) else {
      throw .port
    }
    return (name, port)
  }

  /// The characters that an address may contain.
  private static let allowed = CharacterSet(charactersIn: "!"..."~")
    .subtracting(CharacterSet(charactersIn: "\"<>\\^`{|}"))

  private static func escaped(_ part: Substring) -> String {
    part.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""  // `nil` only for invalid Unicode
  }
}
