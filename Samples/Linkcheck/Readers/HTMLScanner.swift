/// Finds links and anchors in HTML that arrives in parts.
///
/// A scanner of tags, not a parser of documents: it knows comments, quoting and the elements whose content is text, and
/// builds no tree. Reads each byte a fixed number of times; an incomplete end of a part is read again with the next
/// part. Ends early in a cancelled task.
struct HTMLScanner: PartScanner {
  /// The syntactic context of the byte at the index.
  private enum Context: Equatable {
    case markup
    /// A comment or similar, which ends with the first of these texts.
    case ignored(until: [String])
    /// The content of an element whose content is not markup.
    case text(of: String)
  }

  private var bytes: [UInt8] = []
  /// Whether this is the last part.
  private var isLast = false
  /// Whether `<script/>` is an empty element.
  private let isXML: Bool
  private var index = 0
  private var lines = LineCounter()
  private var context = Context.markup
  /// The number of open `svg` and `math` elements, whose syntax is that of XML.
  private var foreignDepth = 0
  /// The links and anchors found so far.
  private(set) var document = Document()
  /// The texts of the headings, including an open one.
  private(set) var headings: [String] = []
  private(set) var openHeading: [UInt8]?

  init(isXML: Bool, openHeading: [UInt8]? = nil) { (self.isXML, self.openHeading) = (isXML, openHeading) }

  /// Adds the next part.
  mutating func scan(_ part: [UInt8], isLast: Bool) {
    lines.drop(index, of: bytes)
    bytes = index == bytes.count ? part : Array(bytes[index...]) + part
    (index, self.isLast) = (0, isLast)
    while !Task.isCancelled, scanNext() {}
  }

  /// The number of bytes kept for the next part, since they are incomplete.
  var keptCount: Int { bytes.count - index }

  /// Scans up to the next boundary. Returns whether this part has more to scan.
  private mutating func scanNext() -> Bool {
    switch context {
    case .markup: return scanMarkup()
    case .ignored(let ends): return leave(at: bytes[index...].end(ofFirst: ends), keeping: 3)
    case .text(let name): return scanText(of: name)
    }
  }

  /// Skips to `end`. If the end is missing, keeps the last `count` bytes, which may be its beginning.
  private mutating func leave(at end: Int?, keeping count: Int) -> Bool {
    if let end {
      (index, context) = (end, .markup)
      return true
    }
    index = isLast ? bytes.count : max(index, bytes.count - count)
    return false
  }

  private mutating func scanMarkup() -> Bool {
    let next = bytes[index...].firstIndex(of: UInt8(ascii: "<"))
    openHeading? += bytes[index..<(next ?? bytes.count)]
    index = next ?? bytes.count
    guard next != nil else { return false }
    let isCData = isXML || foreignDepth > 0
    // The longest of these beginnings has this many bytes, which decide the kind.
    guard isLast || bytes.count - index >= 9 else { return false }
    if starts(with: "<!--") {
      index += 4
      // A comment that has already ended.
      if starts(with: ">") {
        index += 1
      } else if starts(with: "->") {
        index += 2
      } else {
        context = .ignored(until: ["-->", "--!>"])
      }
    } else if isCData, starts(with: "<![CDATA[") {
      context = .ignored(until: ["]]>"])
    } else if starts(with: "<!") || starts(with: "<?") {
      context = .ignored(until: [">"])
    } else {
      return scanTag()
    }
    return true
  }

  private mutating func scanTag() -> Bool {
    let start = index
    index += 1
    let isEnd = peek() == UInt8(ascii: "/")
    if isEnd { index += 1 }
    guard let first = peek(), ASCII.isLetter(first) else {
      // `</` before anything but a name begins a comment that ends with the next `>`.
      if isEnd { context = .ignored(until: [">"]) }
      return true
    }
    let name = lowercased(take { !ASCII.isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") })
    var tag = HTMLTag(name: name, line: 0, isForeign: foreignDepth > 0)
    guard let isClosed = scanAttributes(of: &tag) else {
      // A tag at the end of the text is no tag; at the end of a part, it is read again with the next part.
      index = isLast ? bytes.count : start
      return false
    }
    if name == "svg" || name == "math" {
      foreignDepth = max(0, foreignDepth + (isEnd ? -1 : isClosed ? 0 : 1))
    }
    if name.utf8.count == 2, name.utf8.first == UInt8(ascii: "h"), "123456".utf8.contains(name.utf8.last ?? 0)
    {
      if let text = openHeading {
        headings.append(CharacterReferences.decoded(String(decoding: text, as: UTF8.self), in: .text))
      }
      openHeading = isEnd ? nil : []
    }
    guard !isEnd else { return true }
    if !tag.attributes.isEmpty {
      tag.line = lines.line(of: start, in: bytes)
      document.note(tag)
    }
    let isEmpty = isClosed && (isXML || tag.isForeign)
    if !isEmpty, Self.textElements.contains(name) { context = .text(of: name) }
    return true
  }

  /// Reads to the end of the tag. Returns whether the tag ends with a slash; `nil` if its end is missing.
  private mutating func scanAttributes(of tag: inout HTMLTag) -> Bool? {
    while true {
      let space = take { ASCII.isSpace($0) || $0 == UInt8(ascii: "/") }
      guard let next = peek() else { return nil }
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

  /// Skips to the end tag of an element whose content is not markup. If the end tag is missing, keeps all of a style's
  /// content; of other contents, keeps a possible beginning of the end tag.
  private mutating func scanText(of name: String) -> Bool {
    let end = "</\(name)"
    var place = index
    while let next = bytes[place...].end(ofFirst: [end]), isLast || next < bytes.count {
      if isNameEnd(at: next) {
        endText(of: name, at: next - end.utf8.count)
        return true
      }
      place = next
    }
    if isLast {
      endText(of: name, at: bytes.count)
    } else if name != "style" {
      index = max(index, bytes.count - end.utf8.count)
    }
    return false
  }

  private mutating func endText(of name: String, at end: Int) {
    if name == "style" {
      let line = lines.line(of: index, in: bytes)
      document.links += StyleSheet.links(in: bytes[index..<end], line: line)
    }
    (index, context) = (end, .markup)
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
}
