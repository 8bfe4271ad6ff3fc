import Foundation

/// Finds out how a page's characters are written, in the order in which browsers do.
package enum PageText {
  /// The page in UTF-8, without a byte order mark.
  ///
  /// - Parameter charset: What the server says, if it does.
  package static func utf8(of data: Data, charset: String?, markup: Markup) -> [UInt8] {
    let bytes = [UInt8](data)
    let (encoding, length) = encoding(ofPageBeginningWith: bytes, charset: charset, markup: markup)
    if let encoding { return encoding.utf8(length > 0 ? Array(bytes[length...]) : bytes) }
    return TextEncoding.isUTF8(bytes) ? bytes : TextEncoding.windows1252.utf8(bytes)
  }

  /// The name of the encoding of a page that cannot be read.
  package static func nameIfUnreadable(of data: Data, charset: String?, markup: Markup) -> String? {
    encoding(ofPageBeginningWith: Array(data.prefix(1024)), charset: charset, markup: markup).encoding?
      .nameIfUnreadable(data)
  }

  /// How the characters of a page are written that begins with some bytes, and how many of these are a byte order
  /// mark. `nil` where the page does not say: UTF-8 if all of it can be read so, and Windows-1252 otherwise.
  package static func encoding(
    ofPageBeginningWith bytes: [UInt8], charset: String?, markup: Markup
  ) -> (encoding: TextEncoding?, markLength: Int) {
    if let (encoding, length) = TextEncoding.byMark(bytes) { return (encoding, length) }
    return (charset.flatMap { TextEncoding(label: $0) } ?? declared(in: bytes, markup), 0)
  }

  /// The `charset` of a `Content-Type`.
  package static func charset(ofContentType type: String) -> String? {
    for parameter in type.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
      let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
        String(Substring($0)).trimmed
      }
      guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
      return parts[1].replacing("\"", with: "").replacing("'", with: "")
    }
    return nil
  }

  private static func declared(in bytes: [UInt8], _ markup: Markup) -> TextEncoding? {
    let head = String(decoding: bytes.prefix(1024).map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    let match: Regex<(Substring, Substring)>.Match? =
      switch markup {
      case .html, .xhtml:
        head.firstMatch(of: /(?i)<meta[^>]*?charset\s*=\s*["']?\s*([-\w.:]+)/)
          ?? head.firstMatch(of: /^<\?xml[^>]*?encoding\s*=\s*["']([-\w.:]+)/)
      case .css: head.firstMatch(of: /^@charset "([-\w.:]+)";/)
      case .markdown: nil
      }
    guard let match, let encoding = TextEncoding(label: match.1) else { return nil }
    // A page that can be read as ASCII so far is not in UTF-16, whatever it says.
    if case .utf16 = encoding { return .utf8 }
    return encoding
  }
}
