/// Reads labels and destinations of Markdown links.
enum MarkdownDestination {
  /// The length that a label must not reach, as CommonMark demands.
  static let longestLabel = 1000
  /// The largest number of nested round brackets in a destination, as in CommonMark's own implementations.
  static let deepestBrackets = 32

  /// Reads `(page.md "title")`, whose first bracket is at `start`. Returns the destination and the index after it.
  static func inline(_ bytes: ArraySlice<UInt8>, from start: Int) -> (text: String, end: Int)? {
    guard let (text, end) = destination(bytes, from: afterSpace(bytes, start + 1)) else { return nil }
    var next = afterSpace(bytes, end)
    if next > end, let title = titleEnd(bytes, from: next) { next = afterSpace(bytes, title) }
    return next < bytes.endIndex && bytes[next] == UInt8(ascii: ")") ? (text, next + 1) : nil
  }

  /// Reads the definition `[name]: page.md "title"` at `start`. Returns its label in the form of `key(of:)`, its
  /// destination, and the beginning of the next line.
  static func definition(_ bytes: [UInt8], from start: Int) -> (
    label: [UInt8], destination: String, end: Int
  )? {
    guard let label = label(bytes[...], from: start), let key = key(of: bytes[start + 1..<label - 1]),
      label < bytes.count, bytes[label] == UInt8(ascii: ":")
    else { return nil }
    let place = afterSpace(bytes[...], label + 1)
    guard place < bytes.count, let (text, end) = destination(bytes[...], from: place), end > place else {
      return nil
    }
    let next = afterSpace(bytes[...], end)
    if next > end, let title = titleEnd(bytes[...], from: next), let line = lineEnd(bytes, from: title) {
      return (key, text, line)
    }
    // The rest of the line can only be a title.
    return lineEnd(bytes, from: end).map { (key, text, $0) }
  }

  /// The index after the label whose first bracket is at `start`.
  static func label(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "[") else { return nil }
    var isEscaped = false
    for (index, byte) in zip((start + 1)..., bytes[(start + 1)...].prefix(longestLabel)) {
      if !isEscaped, byte == UInt8(ascii: "]") { return index + 1 }
      if !isEscaped, byte == UInt8(ascii: "[") { return nil }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return nil
  }

  /// A key that is equal for equivalent labels; `nil` if the text is no label.
  static func key(of label: ArraySlice<UInt8>) -> [UInt8]? {
    guard label.count < longestLabel else { return nil }
    let words = label.split(whereSeparator: ASCII.isSpace)
    guard !words.isEmpty else { return nil }
    let text = String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
    return Array(text.lowercased().uppercased().utf8)
  }

  /// The length of the footnote mark `[^name]:`.
  static func footnoteMark(_ content: ArraySlice<UInt8>) -> Int? {
    guard content.starts(with: "[^".utf8), let end = label(content, from: content.startIndex),
      end - content.startIndex > 3, content[end...].first == UInt8(ascii: ":"),
      !content[..<end].contains(where: ASCII.isSpace)
    else { return nil }
    return end + 1 - content.startIndex
  }

  /// Reads `page.md`, `a_(b).md` or `<a page.md>` at `start`. Returns it without escapes, and the index after it.
  private static func destination(_ bytes: ArraySlice<UInt8>, from start: Int) -> (text: String, end: Int)? {
    let isBracketed = start < bytes.endIndex && bytes[start] == UInt8(ascii: "<")
    var index = isBracketed ? start + 1 : start
    var depth = 0
    scan: while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "\\") where index + 1 < bytes.endIndex && isPunctuation(bytes[index + 1]): index += 1
      case UInt8(ascii: "\n") where isBracketed, UInt8(ascii: "<") where isBracketed: return nil
      case UInt8(ascii: ">") where isBracketed: return (unescaped(bytes[start + 1..<index]), index + 1)
      case _ where isBracketed: break
      case 0...0x20, 0x7F: break scan
      case UInt8(ascii: "("):
        depth += 1
        guard depth <= deepestBrackets else { return nil }
      case UInt8(ascii: ")"):
        if depth == 0 { break scan }
        depth -= 1
      default: break
      }
      index += 1
    }
    return depth == 0 && !isBracketed ? (unescaped(bytes[start..<index]), index) : nil
  }

  /// The index after the title at `start`. A title in round brackets has none inside.
  private static func titleEnd(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    guard start < bytes.endIndex, "\"'(".utf8.contains(bytes[start]) else { return nil }
    let isBracketed = bytes[start] == UInt8(ascii: "(")
    let end = isBracketed ? UInt8(ascii: ")") : bytes[start]
    var index = start + 1
    while index < bytes.endIndex {
      if bytes[index] == end { return index + 1 }
      if isBracketed, bytes[index] == UInt8(ascii: "(") { return nil }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// The text without escapes.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    CharacterReferences.decoded(String(decoding: bytes, as: UTF8.self), in: .markdown)
  }

  static func afterSpace(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int {
    bytes[min(start, bytes.endIndex)...].firstIndex { !ASCII.isSpace($0) } ?? bytes.endIndex
  }

  /// The beginning of the next line, if only space comes before it.
  private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || !ASCII.isSpace($0) } ?? bytes.count
    guard end < bytes.count else { return end }
    return bytes[end] == UInt8(ascii: "\n") ? end + 1 : nil
  }

  static func isPunctuation(_ byte: UInt8) -> Bool {
    (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
      || (0x7B...0x7E).contains(byte)
  }
}
