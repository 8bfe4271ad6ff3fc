/// The character references of HTML, such as `&amp;` and `&#233;`.
enum CharacterReferences {
  /// The context of a text, which decides whether a reference may lack its semicolon.
  enum Context {
    /// An attribute of HTML: in `?a=1&copy=2` nothing is replaced, but `&copy 2` has a copyright sign.
    case attribute
    /// Other text, where a reference needs its semicolon.
    case text
    /// Markdown, where a backslash escapes the `&`.
    case markdown
  }

  /// The text with its references replaced. Unknown references stay as they are.
  static func decoded(_ text: some StringProtocol, in context: Context) -> String {
    var output = ""
    var rest = Substring(text)
    while let mark = rest.utf8.firstIndex(where: {
      $0 == UInt8(ascii: "&") || context == .markdown && $0 == UInt8(ascii: "\\")
    }) {
      output += rest[..<mark]
      let isEscape = rest.utf8[mark] == UInt8(ascii: "\\")
      let next = rest.utf8.index(after: mark)
      rest = rest[next...]
      if isEscape, let escaped = rest.utf8.first, MarkdownDestination.isPunctuation(escaped) {
        output.unicodeScalars.append(Unicode.Scalar(escaped))
        rest = rest[rest.utf8.index(after: next)...]
      } else if !isEscape, let (characters, end) = reference(rest, context) {
        output += characters
        rest = rest[end...]
      } else {
        output += text[mark..<next]
      }
    }
    return output + rest
  }

  private static func reference(_ text: Substring, _ context: Context) -> (String, end: String.Index)? {
    if text.utf8.first == UInt8(ascii: "#") { return number(text, context) }
    let name = Substring(
      text.utf8.prefix(NamedCharacters.longestName).prefix { ASCII.isLetter($0) || ASCII.isDigit($0) })
    let next = text.utf8[name.endIndex...].first
    if next == UInt8(ascii: ";"), let entry = NamedCharacters.entry(name) {
      return (entry.text, text.utf8.index(after: name.endIndex))
    }
    // In an attribute, a name must not be the beginning of a longer word.
    guard context == .attribute, next != UInt8(ascii: "="), next != UInt8(ascii: ";"),
      let entry = NamedCharacters.entry(name), entry.mayLackSemicolon
    else { return nil }
    return (entry.text, name.endIndex)
  }

  /// Decodes a numeric reference: `#233;` or `#xE9;`.
  private static func number(_ text: Substring, _ context: Context) -> (String, end: String.Index)? {
    var rest = text.utf8.dropFirst()
    let isHexadecimal = rest.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    if isHexadecimal { rest = rest.dropFirst() }
    let digits = rest.prefix { isHexadecimal ? ASCII.hexValue($0) != nil : ASCII.isDigit($0) }
    let hasSemicolon = rest[digits.endIndex...].first == UInt8(ascii: ";")
    guard !digits.isEmpty, hasSemicolon || context == .attribute else { return nil }
    let end = hasSemicolon ? text.utf8.index(after: digits.endIndex) : digits.endIndex
    return (character(UInt32(Substring(digits), radix: isHexadecimal ? 16 : 10)), end)
  }

  private static func character(_ code: UInt32?) -> String {
    // Old pages use these numbers for Windows-1252, and browsers follow them.
    if let code, (0x80...0x9F).contains(code) { return Windows1252.text([UInt8(code)]) }
    guard let code, code != 0, let scalar = Unicode.Scalar(code) else { return "\u{FFFD}" }
    return String(scalar)
  }
}
