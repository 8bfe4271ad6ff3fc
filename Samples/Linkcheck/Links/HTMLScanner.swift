/// Finds links and anchors in HTML.
///
/// A scanner of tags, not a parser of documents: it knows comments, quoting and the elements whose content is
/// text, and builds no tree.
struct HTMLScanner {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var document = Document()

  static func document(of text: String) -> Document {
    var scanner = HTMLScanner(bytes: Array(text.utf8))
    scanner.scan()
    return scanner.document
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func scan() {
    while let next = peek() {
      if next != UInt8(ascii: "<") {
        advance()
      } else if starts(with: "<!--") {
        skip(past: "-->", from: 4)
      } else if starts(with: "<!") || starts(with: "<?") {
        skip(past: ">", from: 2)
      } else {
        scanTag()
      }
    }
  }

  private mutating func scanTag() {
    let startLine = line
    advance()
    let name = take { Self.isNameByte($0) }.lowercased()
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return }
    let attributes = scanAttributes()
    document.note(tag: name, attributes: attributes, line: startLine)
    if ["script", "style", "textarea", "title", "xmp"].contains(name) { skipText(of: name) }
  }

  private mutating func scanAttributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      _ = take { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
      guard let next = peek() else { return attributes }
      if next == UInt8(ascii: ">") {
        advance()
        return attributes
      }
      if next == UInt8(ascii: "=") { advance() }
      let name = take { !Self.isSpace($0) && !"=>/".utf8.contains($0) }.lowercased()
      _ = take { Self.isSpace($0) }
      var value = ""
      if peek() == UInt8(ascii: "=") {
        advance()
        _ = take { Self.isSpace($0) }
        value = scanValue()
      }
      // The first of two attributes of one name counts.
      if !name.isEmpty, attributes[name] == nil { attributes[name] = CharacterReferences.decoded(value) }
    }
  }

  private mutating func scanValue() -> String {
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return take { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
    }
    advance()
    let value = take { $0 != quote }
    advance()
    return value
  }

  /// Goes to the end tag of an element whose content is no markup.
  private mutating func skipText(of name: String) {
    let end = Array("</\(name)".utf8)
    while index < bytes.count {
      if bytes.count - index >= end.count,
        bytes[index..<index + end.count].elementsEqual(end, by: { Self.lower($0) == $1 })
      {
        return
      }
      advance()
    }
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func advance() {
    guard index < bytes.count else { return }
    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private mutating func take(while condition: (UInt8) -> Bool) -> String {
    let start = index
    while let next = peek(), condition(next) { advance() }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  private mutating func skip(past end: StaticString, from offset: Int) {
    for _ in 0..<offset { advance() }
    while index < bytes.count, !starts(with: end) { advance() }
    for _ in 0..<end.utf8CodeUnitCount { advance() }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func isNameByte(_ byte: UInt8) -> Bool { !Self.isSpace(byte) && !"/>".utf8.contains(byte) }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
