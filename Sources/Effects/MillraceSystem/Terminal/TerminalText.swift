import Millrace
import MillraceSpelling

/// Text as a terminal shows it. Pure.
public enum TerminalText {
  /// Returns text from elsewhere, such as a file's name or a server's words, such that it stays on one line and changes
  /// nothing of the terminal: control characters, ends of lines and characters that reverse the direction of writing
  /// become `\n`, `\u{1B}` and the like.
  ///
  /// ```swift
  /// try TerminalOutput.standardError.write("cannot read \(TerminalText.visible(name))\n")
  /// ```
  ///
  /// - Complexity: O(length of the text)
  public static func visible(_ text: String) -> String { Spelling.visible(text) }

  /// Returns text from elsewhere with the characters that ``visible(_:)`` escapes written by `escape`, such as the
  /// escapes of another language.
  ///
  /// - Complexity: O(length of the text)
  public static func visible(_ text: String, escaping escape: (Unicode.Scalar) -> String) -> String {
    Spelling.visible(text, escaping: escape)
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

  /// Two for ideographs and pictures, none for marks that have nothing to stand on. Terminals differ in
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
