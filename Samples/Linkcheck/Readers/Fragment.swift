/// The name of a place in a page, as bytes: names that only look the same are different.
package struct Fragment: Codable, Hashable, Sendable {
  /// The name with all but letters, digits and a few marks escaped.
  package let encoded: String

  /// Makes a name from its escaped form.
  package init(encoded: String) { self.encoded = encoded }

  package init(_ name: String) { encoded = PercentEncoding.encoded(name.utf8) }

  init(prefix: String, _ name: String) { encoded = prefix + PercentEncoding.encoded(name.utf8) }

  private init(decoding name: Substring) { encoded = PercentEncoding.encoded(PercentEncoding.decoded(name)) }

  /// Whether a link's fragment means the top of the page, or a search for text in it.
  package static func isAlwaysThere(_ fragment: Substring) -> Bool {
    fragment.isEmpty || fragment.lowercased() == "top" || fragment.utf8.starts(with: ":~:".utf8)
  }

  /// The possible names for a link's fragment: the fragment itself, or without its escapes.
  package static func readings(of fragment: Substring) -> [Fragment] {
    let plain = Fragment(String(fragment))
    return fragment.utf8.contains(UInt8(ascii: "%")) ? [plain, Fragment(decoding: fragment)] : [plain]
  }
}
