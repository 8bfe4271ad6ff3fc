import Foundation

/// Finds out how a page's characters are written, in the order in which browsers do.
enum PageText {
  /// The page in UTF-8, without a byte order mark.
  ///
  /// - Parameter charset: What the server says, if it does.
  static func utf8(of data: Data, charset: String?, markup: Markup) -> [UInt8] {
    let bytes = [UInt8](data)
    if let (encoding, length) = TextEncoding.byMark(bytes) { return encoding.utf8(Array(bytes[length...])) }
    let encoding = charset.flatMap { TextEncoding(label: $0) } ?? declared(in: bytes, markup)
    if let encoding { return encoding.utf8(bytes) }
    return TextEncoding.isUTF8(bytes) ? bytes : TextEncoding.windows1252.utf8(bytes)
  }

  /// The `charset` of a `Content-Type`.
  static func charset(ofContentType type: String) -> String? {
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
