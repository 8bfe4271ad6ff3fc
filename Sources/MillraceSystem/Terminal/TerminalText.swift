/// Text as a terminal shows it: in columns, and with nothing in it that moves the cursor. Pure.
enum TerminalText {
  /// The text without control characters, for each of which U+FFFD stands.
  static func harmless(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// The columns that a text without control characters takes. O(n)
  static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// The rows that a text without control characters takes in a terminal of so many columns. A character of two columns
  /// that has room for one of them in a row is in the next.
  static func rows(of text: String, columns: Int) -> Int {
    var (rows, used) = (1, 0)
    for character in text {
      let width = self.columns(of: character)
      if used > 0, used > columns - width { (rows, used) = (rows + 1, 0) }
      used += width
    }
    return rows
  }

  /// As much of the text as there is room for in so many columns.
  static func prefix(of text: String, columns: Int) -> String {
    var rest = columns
    return String(
      text.prefix { character in
        rest -= self.columns(of: character)
        return rest >= 0
      })
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // The separators too, and what turns the direction of writing round.
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    default: false
    }
  }

  /// Two for ideographs and pictures, none for marks that have nothing to stand on. What terminals do differs in
  /// places; where one shows less than is counted here, room is left over.
  private static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.count > 1, character.unicodeScalars.contains(where: { $0 == "\u{FE0F}" }) {
      return 2
    }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if first.properties.isEmojiPresentation { return 2 }
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF,
    0x20000...0x3FFFD,
  ]
}
