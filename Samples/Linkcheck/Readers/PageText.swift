import Foundation

/// Determines the encoding of a page in the same order as browsers.
package enum PageText {
  /// The page in UTF-8, without a byte order mark.
  ///
  /// - Parameter charset: the encoding according to the server, if any.
  package static func utf8(of data: Data, charset: String?, markup: Markup) -> [UInt8] {
    let bytes = [UInt8](data)
    let (encoding, length) = encoding(ofPageBeginningWith: bytes, charset: charset, markup: markup)
    if let encoding { return encoding.utf8(length > 0 ? Array(bytes[length...]) : bytes) }
    return TextEncoding.isUTF8(bytes) ? bytes : TextEncoding.windows1252.utf8(bytes)
  }

  /// The name of the encoding, if the page cannot be read; otherwise `nil`.
  package static func nameIfUnreadable(of data: Data, charset: String?, markup: Markup) -> String? {
    encoding(ofPageBeginningWith: Array(data.prefix(1024)), charset: charset, markup: markup).encoding?
      .nameIfUnreadable(data)
  }

  /// The encoding of a page that begins with some bytes, and the length of its byte order mark. `nil` if the page does
  /// not say: it is UTF-8 if all of it is valid, and Windows-1252 otherwise.
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
    // Since the declaration was readable as ASCII, the page is not UTF-16, whatever it declares.
    if case .utf16 = encoding { return .utf8 }
    return encoding
  }
}
