import MillraceSystem

/// Text that has come from elsewhere, such as a page or a file's name, as it may be written to a terminal.
enum OneLine {
  static func text(_ text: String) -> String { TerminalText.visible(Password.hidden(in: text)) }

  /// JSON with the same characters as escapes of JSON, between lines that stay as they are.
  static func json(_ json: String) -> String {
    TerminalText.visible(Password.hidden(in: json)) { scalar in
      guard scalar != "\n" else { return "\n" }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
