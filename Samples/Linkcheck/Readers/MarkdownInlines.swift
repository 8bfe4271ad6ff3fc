/// Finds the links in the prose of a Markdown page: `[text](page.md)`, images, `<https://…>` and bare URLs.
///
/// References such as `[text][name]` need no look-up: the link is in the definition of `name`.
struct MarkdownInlines {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var found: [Found] = []
  /// The brackets that are open.
  private var openings: [Opening] = []

  private struct Found {
    var link: Link
    var isBare = false
  }

  private struct Opening {
    var line: Int
    var isImage: Bool
    /// How many links had been found before it.
    var foundBefore: Int
  }

  init(_ prose: [UInt8]) { bytes = prose }

  mutating func links() -> [Link] {
    while let next = peek() {
      switch next {
      case UInt8(ascii: "\\"):
        advance()
        advance()
      case UInt8(ascii: "["):
        let isImage = index > 0 && bytes[index - 1] == UInt8(ascii: "!")
        openings.append(Opening(line: line, isImage: isImage, foundBefore: found.count))
        advance()
      case UInt8(ascii: "]"):
        advance()
        closeBracket()
      case UInt8(ascii: "<"):
        scanAngle()
      case UInt8(ascii: "h"), UInt8(ascii: "H"):
        scanBareURL()
      case UInt8(ascii: "\n"):
        advance()
        // A blank line ends the paragraph, and with it every bracket that is still open.
        if peek() == UInt8(ascii: "\n") { openings = [] }
      default:
        advance()
      }
    }
    return found.map(\.link)
  }

  private mutating func closeBracket() {
    guard let opening = openings.popLast(), peek() == UInt8(ascii: "("), let (text, end) = destination()
    else {
      return
    }
    // A URL in the text of a link is no link of its own; an image in it is.
    if !opening.isImage {
      let inner = found[opening.foundBefore...].filter { !$0.isBare }
      found.replaceSubrange(opening.foundBefore..., with: inner)
    }
    found.append(Found(link: Link(text: text, line: opening.line)))
    while index < end { advance() }
  }

  /// Reads `(destination "title")` at the index.
  private func destination() -> (text: String, end: Int)? {
    let start = afterSpace(index + 1)
    guard let (text, end) = MarkdownDestination.read(bytes, from: start) else { return nil }
    var next = afterSpace(end)
    if next > end, next < bytes.count, let close = Self.titleEnd(bytes[next]) {
      next += 1
      while next < bytes.count, bytes[next] != close { next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1 }
      next = afterSpace(next + 1)
    }
    return next < bytes.count && bytes[next] == UInt8(ascii: ")") ? (text, next + 1) : nil
  }

  private static func titleEnd(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): byte
    case UInt8(ascii: "("): UInt8(ascii: ")")
    default: nil
    }
  }

  /// `<https://example.org>`, or a tag of HTML, which is skipped.
  private mutating func scanAngle() {
    let inside = bytes[(index + 1)...].prefix {
      $0 > 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
    }
    if inside.endIndex < bytes.count, bytes[inside.endIndex] == UInt8(ascii: ">"), Self.hasScheme(inside) {
      found.append(Found(link: Link(text: String(decoding: inside, as: UTF8.self), line: line), isBare: true))
      index = inside.endIndex
      return
    }
    guard let first = inside.first, ASCII.isLetter(first) || first == UInt8(ascii: "/") else {
      return advance()
    }
    var quote: UInt8?
    while let next = peek(), quote != nil || next != UInt8(ascii: ">") {
      // A tag that is not closed in its paragraph is none.
      if bytes[index...].starts(with: "\n\n".utf8) { return }
      if next == quote { quote = nil } else if quote == nil, "\"'".utf8.contains(next) { quote = next }
      advance()
    }
  }

  /// Whether a text begins as URLs do, by a scheme of two letters or more.
  private static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, ASCII.isLetter(first)
    else {
      return false
    }
    let scheme = text[..<colon]
    return (2...32).contains(scheme.count)
      && scheme.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
  }

  private mutating func scanBareURL() {
    let isAtWordStart = index == 0 || !Self.isWordByte(bytes[index - 1])
    let rest = bytes[index...].prefix(8).map { $0 | 0x20 }
    guard isAtWordStart, rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) else {
      return advance()
    }
    var url = bytes[index...].prefix { $0 > 0x20 && !"<\"`|".utf8.contains($0) }
    while let last = url.last {
      let opened = url.count { $0 == UInt8(ascii: "(") }
      let closed = url.count { $0 == UInt8(ascii: ")") }
      let isSurplus = last == UInt8(ascii: ")") && closed > opened
      guard isSurplus || "?!.,:;*_~'[]".utf8.contains(last) else { break }
      url.removeLast()
    }
    // A bracket that closes a link's text is not part of the URL in it.
    if !openings.isEmpty, let bracket = url.firstIndex(of: UInt8(ascii: "]")) { url = url[..<bracket] }
    let text = String(decoding: url, as: UTF8.self)
    if !text.hasSuffix("//") { found.append(Found(link: Link(text: text, line: line), isBare: true)) }
    while index < url.endIndex { advance() }
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func advance() {
    guard index < bytes.count else { return }
    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private func afterSpace(_ start: Int) -> Int {
    var next = start
    while next < bytes.count, bytes[next] == 0x20 || (0x09...0x0D).contains(bytes[next]) { next += 1 }
    return next
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || ASCII.isLetter(byte) || ASCII.isDigit(byte)
  }
}
