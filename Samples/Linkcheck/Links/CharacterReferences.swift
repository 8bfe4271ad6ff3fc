/// The character references of HTML, such as `&amp;` and `&#233;`.
enum CharacterReferences {
  private static let named: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "shy": "\u{AD}",
    "ndash": "–", "mdash": "—", "hellip": "…", "copy": "©", "auml": "ä", "ouml": "ö", "uuml": "ü",
    "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
    "ccedil": "ç", "num": "#", "sol": "/", "colon": ":", "period": ".", "lowbar": "_", "equals": "=",
    "quest": "?", "percnt": "%", "commat": "@",
  ]

  /// The text with its references replaced. What is not known stays as it is, as do names without their
  /// semicolon: `?a=1&copy=2` means what it says.
  static func decoded(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    var output = ""
    var rest = Substring(text)
    while let ampersand = rest.firstIndex(of: "&") {
      output += rest[..<ampersand]
      rest = rest[ampersand...]
      if let end = rest.prefix(12).firstIndex(of: ";"), let character = character(rest[..<end].dropFirst()) {
        output += character
        rest = rest[rest.index(after: end)...]
      } else {
        output += "&"
        rest = rest.dropFirst()
      }
    }
    return output + rest
  }

  private static func character(_ name: Substring) -> String? {
    guard name.hasPrefix("#") else { return named[name] }
    let digits = name.dropFirst()
    let code = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map(String.init)
  }
}
