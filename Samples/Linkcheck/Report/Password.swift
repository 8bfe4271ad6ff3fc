import LinkcheckReaders
import MillraceHTTP
import MillraceTrace

/// Hides passwords in addresses such as `https://user:password@example.org/`, which are sent but never shown.
enum Password {
  /// Keeps passwords out of recordings.
  static let redaction = Redaction.text(named: "passwords in addresses") { hidden(in: $0) }

  /// The text with each password replaced by `***`. Reads it once.
  static func hidden(in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let slash = rest.firstIndex(where: isSlash) {
      let host = rest[slash...].drop(while: isSlash)
      let authority = host.prefix { $0 > 0x20 && !isSlash($0) && !"?#\"'<>".utf8.contains($0) }
      output += rest[..<host.startIndex]
      rest = host
      guard host.startIndex - slash > 1, let at = authority.lastIndex(of: UInt8(ascii: "@")),
        let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      output += rest[...colon] + "***".utf8
      rest = rest[at...]
    }
    return String(decoding: output + rest, as: UTF8.self)
  }

  /// A link with its password replaced by `***`, whatever its characters.
  static func hidden(inLink link: String) -> String {
    var reference = URLReference(link: link)
    guard let authority = reference.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")),
      let colon = authority[..<at].utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return hidden(in: link) }
    reference.authority = authority[...colon] + "***" + authority[at...]
    return reference.description
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }
}
