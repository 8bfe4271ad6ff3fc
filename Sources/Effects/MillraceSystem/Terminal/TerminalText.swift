import Millrace
import MillraceSpelling

/// Makes text safe for a terminal, and measures it. Pure.
public enum TerminalText {
  /// Makes text from elsewhere, such as a file name or a server's response, safe for a terminal and fit for one line.
  /// Control characters, line breaks and characters that reverse the direction of writing become `\n`, `\u{1B}` and the
  /// like.
  ///
  /// ```swift
  /// try TerminalOutput.standardError.write("cannot read \(TerminalText.visible(name))\n")
  /// ```
  ///
  /// - Complexity: O(length of the text)
  public static func visible(_ text: String) -> String { Spelling.visible(text) }

  /// Returns text from elsewhere with the characters that ``visible(_:)`` escapes replaced by the results of `escape`,
  /// such as the escapes of another language.
  ///
  /// - Complexity: O(length of the text)
  public static func visible(_ text: String, escaping escape: (Unicode.Scalar) -> String) -> String {
    Spelling.visible(text, escaping: escape)
  }

  /// The number of columns of a text without control characters. O(n)
  static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// The number of rows of a text without control characters, in a terminal of this width. A character of two columns
  /// that does not fit into a row goes to the next.
  static func rows(of text: String, columns: Int) -> Int {
    var (rows, used) = (1, 0)
    for character in text {
      let width = self.columns(of: character)
      if used > 0, used > columns - width { (rows, used) = (rows + 1, 0) }
      used += width
    }
    return rows
  }

  /// The longest prefix of the text that fits into a number of columns.
  static func prefix(of text: String, columns: Int) -> String {
    var rest = columns
    return String(
      text.prefix { character in
        rest -= self.columns(of: character)
        return rest >= 0
      })
  }

  /// Two for ideographs and emojis, zero for marks without a base character. Terminals differ; if one shows fewer
  /// columns than counted here, some room stays free.
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
