/// Text that has come from elsewhere, such as a page or a file's name, as it may be written to a terminal.
enum OneLine {
  /// The text with control characters, ends of lines and what turns the direction of writing round shown as escapes:
  /// `\n`, `\u{1B}`.
  static func text(_ text: String) -> String {
    escaped(text) { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
  }

  /// JSON with the same characters as escapes of JSON, between lines that stay as they are.
  static func json(_ json: String) -> String {
    escaped(json) { scalar in
      guard scalar != "\n" else { return "\n" }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
    guard text.unicodeScalars.contains(where: movesCursor) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if movesCursor(scalar) { output += escape(scalar) } else { output.unicodeScalars.append(scalar) }
    }
    return output
  }

  private static func movesCursor(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: false
    case 0..<0xA0: true
    case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x61C: true
    default: false
    }
  }
}
