/// The host and port of a URL.
enum Authority {
  /// One spelling: lower case, names in other scripts as Punycode, no port where it is the scheme's own. `nil` if it
  /// cannot be a host.
  static func normalized(_ authority: Substring, scheme: String?) -> Substring? {
    if authority.utf8.allSatisfy(isPlain) { return withoutDefaultPort(authority, scheme: scheme) }
    var text = String(decoding: PercentEncoding.decoded(authority), as: UTF8.self).lowercased()
    guard !text.unicodeScalars.contains(where: { isForbidden($0) }) else { return nil }
    if !text.utf8.allSatisfy({ $0 < 0x80 }) {
      guard let encoded = Punycode.host(text) else { return nil }
      text = encoded
    }
    return withoutDefaultPort(text[...], scheme: scheme)
  }

  private static func withoutDefaultPort(_ authority: Substring, scheme: String?) -> Substring? {
    var rest = authority.utf8
    let port = scheme == "https" ? ":443" : ":80"
    if rest.reversed().starts(with: port.utf8.reversed()) { rest = rest.dropLast(port.utf8.count) }
    if rest.last == UInt8(ascii: ":") { rest = rest.dropLast() }
    return rest.isEmpty ? nil : Substring(rest)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || ASCII.isDigit(byte)
      || ".-_:[]@".utf8.contains(byte)
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F || "<>\"{}|\\^`".unicodeScalars.contains(scalar)
      || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }
}
