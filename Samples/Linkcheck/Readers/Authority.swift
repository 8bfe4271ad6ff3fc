import MillraceHTTP

/// The host and port of a URL.
enum Authority {
  /// The normal form: lower case, names in other scripts in IDNA form, no port if it is the scheme's default. `nil` if
  /// the text cannot be a host.
  static func normalized(_ authority: Substring, scheme: String?) -> Substring? {
    let bytes = Array(authority.utf8)
    let start = bytes.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? 0
    let place = PercentEncoding.decoded(String(decoding: bytes[start...], as: UTF8.self))
    guard let (host, port) = try? HTTPAddress.hostAndPort(place[...]) else { return nil }
    let shown = port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
    let user = PercentEncoding.normalized(Substring(decoding: bytes[..<start], as: UTF8.self))
    return user + host + shown
  }
}
