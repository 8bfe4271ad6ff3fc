extension Spelling {
  /// Makes text from elsewhere, such as a server's response or a file name, safe for a terminal and fit for one line.
  /// Escapes control characters, line breaks and characters that reverse the direction of writing.
  ///
  /// - Parameter escape: returns the escape of such a character; by default that of a Swift literal, `\n` or `\u{1B}`.
  package static func visible(_ text: String, escaping escape: (Unicode.Scalar) -> String = escape) -> String
  {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var visible = ""
    for scalar in text.unicodeScalars {
      if movesCursor(scalar) { visible += escape(scalar) } else { visible.unicodeScalars.append(scalar) }
    }
    return visible
  }

  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  private static func movesCursor(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }
}
