/// Finds links in style sheets: `url(…)` and `@import`. Reads each byte a fixed number of times, and ends early in a
/// cancelled task.
enum StyleSheet {
  /// The links in a text that begins on the given line of its page.
  static func links(in text: some Sequence<UInt8>, line: Int) -> [Link] {
    Scanner(line: line).document(of: Array(text)).links
  }

  /// Finds the links in a style sheet that arrives in parts.
  struct Scanner: PartScanner {
    private var bytes: ArraySlice<UInt8> = []
    private var index = 0
    private var line: Int
    /// The name of the open rule, such as `import`, until its semicolon or brace.
    private var rule = ""
    private(set) var document = Document()

    init(line: Int) { self.line = line }

    /// The number of bytes kept for the next part, since they are incomplete.
    var keptCount: Int { bytes.endIndex - index }

    /// Adds the next part.
    mutating func scan(_ part: [UInt8], isLast: Bool) {
      bytes = index == bytes.endIndex ? part[...] : bytes[index...] + part
      index = bytes.startIndex
      while !Task.isCancelled, let next = peek() {
        let before = (index, line, rule, count: document.links.count)
        scanToken(next)
        // The end of the part is read again with the next part.
        guard index < bytes.endIndex || isLast else {
          (index, line, rule) = (before.0, before.1, before.2)
          document.links.removeLast(document.links.count - before.count)
          return
        }
      }
    }

    private mutating func scanToken(_ next: UInt8) {
      switch next {
      case UInt8(ascii: "/") where starts(with: "/*"):
        advance(2)
        while peek() != nil, !starts(with: "*/") { advance() }
        advance(2)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let start = line
        let text = string(closedBy: next)
        if rule == "import" { note(text, line: start) }
      case UInt8(ascii: "@"):
        advance()
        rule = name()
      case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        advance()
        rule = ""
      case UInt8(ascii: "\\"): advance(2)
      default:
        if isNameByte(next) {
          if name() == "url", peek() == UInt8(ascii: "(") { scanURL() }
        } else {
          advance()
        }
      }
    }

    private mutating func scanURL() {
      let start = line
      advance()
      skipSpace()
      let text: String
      if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        text = string(closedBy: quote)
      } else {
        text = unescaped { $0 == UInt8(ascii: ")") || ASCII.isSpace($0) }
      }
      skipSpace()
      // Other contents of the brackets are no URL.
      guard peek() == UInt8(ascii: ")") || peek() == nil else { return }
      advance()
      note(text, line: start)
    }

    /// Skips name spaces, which cannot be checked, and lone fragments, which refer to the document that uses the style.
    private mutating func note(_ text: String, line: Int) {
      guard rule != "namespace", !text.isEmpty, text.utf8.first != UInt8(ascii: "#") else { return }
      document.note(text, line: line)
    }

    private mutating func string(closedBy quote: UInt8) -> String {
      advance()
      let text = unescaped { $0 == quote || $0 == UInt8(ascii: "\n") }
      advance()
      return text
    }

    /// The text up to a terminating byte, with escapes such as `\26 ` replaced.
    private mutating func unescaped(until isEnd: (UInt8) -> Bool) -> String {
      var output: [UInt8] = []
      while let next = peek(), !isEnd(next) {
        advance()
        guard next == UInt8(ascii: "\\"), let escaped = peek() else {
          output.append(next)
          continue
        }
        let digits = bytes[index...].prefix(6).prefix { ASCII.hexValue($0) != nil }
        if let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) {
          advance(digits.count)
          if let space = peek(), ASCII.isSpace(space) { advance() }
          output += Array(String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8)
        } else {
          if escaped != UInt8(ascii: "\n") { output.append(escaped) }
          advance()
        }
      }
      return String(decoding: output, as: UTF8.self)
    }

    private mutating func name() -> String {
      let start = index
      while let next = peek(), isNameByte(next) { advance() }
      return String(decoding: bytes[start..<index].map(ASCII.lower), as: UTF8.self)
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte >= 0x80
    }

    private mutating func skipSpace() {
      while let next = peek(), ASCII.isSpace(next) { advance() }
    }

    private func peek() -> UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private func starts(with text: StaticString) -> Bool {
      text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private mutating func advance(_ count: Int = 1) {
      for _ in 0..<count where index < bytes.endIndex {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
      }
    }
  }
}
