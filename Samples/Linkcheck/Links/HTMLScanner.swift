/// Finds links and anchors in HTML.
///
/// A scanner of tags, not a parser of documents: it knows comments, quoting and the elements whose content is
/// text, and builds no tree.
struct HTMLScanner {
  private let bytes: [UInt8]
  /// Whether `<script/>` is an element without content.
  private let isXML: Bool
  private var index = 0
  private var lines = LineCounter()
  /// How many `svg` and `math` elements are open, in which the syntax is that of XML.
  private var foreignDepth = 0
  private var document = Document()

  static func document(of text: [UInt8], isXML: Bool = false) -> Document {
    var scanner = HTMLScanner(bytes: text, isXML: isXML)
    scanner.scan()
    return scanner.document
  }

  private init(bytes: [UInt8], isXML: Bool) { (self.bytes, self.isXML) = (bytes, isXML) }

  private mutating func scan() {
    while let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = next
      if starts(with: "<!--") {
        index = HTMLComment.end(in: bytes, from: index)
      } else if isXML || foreignDepth > 0, starts(with: "<![CDATA[") {
        skip(past: "]]>")
      } else if starts(with: "<!") || starts(with: "<?") {
        skip(past: ">")
      } else {
        scanTag()
      }
    }
  }

  private mutating func scanTag() {
    let start = index
    index += 1
    let isEnd = peek() == UInt8(ascii: "/")
    if isEnd { index += 1 }
    guard let first = peek(), ASCII.isLetter(first) else {
      // `</` before anything else begins a comment that ends with the next bracket.
      if isEnd { skip(past: ">") }
      return
    }
    let name = lowercased(take { !ASCII.isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") })
    var tag = HTMLTag(name: name, line: 0, isForeign: foreignDepth > 0)
    let isClosed = scanAttributes(of: &tag)
    if name == "svg" || name == "math" {
      foreignDepth = max(0, foreignDepth + (isEnd ? -1 : isClosed ? 0 : 1))
    }
    guard !isEnd else { return }
    if !tag.attributes.isEmpty {
      tag.line = lines.line(of: start, in: bytes)
      document.note(tag)
    }
    let isEmpty = isClosed && (isXML || tag.isForeign)
    if !isEmpty, Self.textElements.contains(name) { scanText(of: name) }
  }

  /// Reads to the end of the tag. Returns whether it ends with a slash.
  private mutating func scanAttributes(of tag: inout HTMLTag) -> Bool {
    while true {
      let space = take { ASCII.isSpace($0) || $0 == UInt8(ascii: "/") }
      guard let next = peek() else {
        // A tag that the text ends in is none.
        tag.attributes = []
        return false
      }
      if next == UInt8(ascii: ">") {
        index += 1
        return bytes[space].last == UInt8(ascii: "/")
      }
      if next == UInt8(ascii: "=") { index += 1 }
      let name = take {
        !ASCII.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
      }
      _ = take { ASCII.isSpace($0) }
      var value = index..<index
      if peek() == UInt8(ascii: "=") {
        index += 1
        _ = take { ASCII.isSpace($0) }
        value = scanValue()
      }
      tag.note(lowercased(name), bytes[value])
    }
  }

  private mutating func scanValue() -> Range<Int> {
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return take { !ASCII.isSpace($0) && $0 != UInt8(ascii: ">") }
    }
    index += 1
    let value = take { $0 != quote }
    index = min(index + 1, bytes.count)
    return value
  }

  private static let textElements: Set<String> = [
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
  ]

  /// Goes to the end tag of an element whose content is no markup.
  private mutating func scanText(of name: String) {
    let start = index
    let end = Array("</\(name)".utf8)
    while let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = next
      let rest = bytes[index...].prefix(end.count)
      if rest.elementsEqual(end, by: { ASCII.lower($0) == $1 }), isNameEnd(at: index + end.count) { break }
      index += 1
    }
    if peek() == nil || bytes[index] != UInt8(ascii: "<") { index = bytes.count }
    if name == "style" {
      let line = lines.line(of: start, in: bytes)
      document.links += StyleSheet.links(in: bytes[start..<index], line: line)
    }
  }

  private func isNameEnd(at index: Int) -> Bool {
    guard index < bytes.count else { return true }
    return ASCII.isSpace(bytes[index]) || bytes[index] == UInt8(ascii: ">")
      || bytes[index] == UInt8(ascii: "/")
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(while condition: (UInt8) -> Bool) -> Range<Int> {
    let start = index
    while index < bytes.count, condition(bytes[index]) { index += 1 }
    return start..<index
  }

  private func lowercased(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].lazy.map(ASCII.lower), as: UTF8.self)
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  private mutating func skip(past end: StaticString) {
    while index < bytes.count, !starts(with: end) { index += 1 }
    index = min(bytes.count, index + end.utf8CodeUnitCount)
  }
}
