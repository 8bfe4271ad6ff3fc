import MillraceSystem

/// Makes text from elsewhere, such as from a page or a file name, safe for a terminal.
enum OneLine {
  static func text(_ text: String) -> String { TerminalText.visible(Password.hidden(in: text)) }

  /// JSON with these characters escaped as in JSON; line breaks stay.
  static func json(_ json: String) -> String {
    TerminalText.visible(Password.hidden(in: json)) { scalar in
      guard scalar != "\n" else { return "\n" }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
