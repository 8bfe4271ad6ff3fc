/// Finds links and anchors in Markdown.
enum MarkdownScanner {
  /// Reads a page, whose text is UTF-8.
  ///
  /// - Parameter isArticle: whether the page is in a DocC catalogue, which gives its headings anchors of their own.
  static func document(of text: [UInt8], isArticle: Bool = false) -> Document {
    let blocks = MarkdownBlocks(text)
    let prose = MarkdownCode.masked(blocks.prose)
    // Raw HTML may have links and anchors of its own.
    var document = HTMLScanner.document(of: prose)
    var inlines = MarkdownInlines(prose)
    document.base = nil
    document.links = (document.links + blocks.definitions + inlines.links()).stablySorted(by: \.line)
    var slugs = HeadingSlugs()
    for heading in blocks.headings {
      document.anchors.formUnion(slugs.anchors(of: heading))
      if isArticle { document.anchors.insert(Fragment(ofArticleHeading: HeadingText.plain(heading))) }
    }
    if isArticle { document.symbols = ArticleSymbols.named(in: blocks.prose) }
    return document
  }

  static func document(of text: String) -> Document { document(of: Array(text.utf8)) }
}

/// Empties what is code or comment in prose, so that no link is seen in it. Every line keeps its place.
enum MarkdownCode {
  static func masked(_ bytes: [UInt8]) -> [UInt8] {
    var output = bytes
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        index += 2
      case UInt8(ascii: "`"):
        let length = run(bytes, at: index)
        if let end = closing(bytes, after: index + length, length: length) {
          blank(&output, index..<end)
          index = end
        } else {
          index += length
        }
      case UInt8(ascii: "<") where bytes[index...].starts(with: "<!--".utf8):
        let end = closingComment(bytes, after: index + 4)
        blank(&output, index..<end)
        index = end
      default:
        index += 1
      }
    }
    return output
  }

  private static func run(_ bytes: [UInt8], at start: Int) -> Int {
    bytes[start...].prefix { $0 == UInt8(ascii: "`") }.count
  }

  /// The end of a code span: a run of as many back-ticks, before the paragraph ends.
  private static func closing(_ bytes: [UInt8], after start: Int, length: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "`") {
        let found = run(bytes, at: index)
        index += found
        if found == length { return index }
      } else {
        if bytes[index...].starts(with: "\n\n".utf8) { return nil }
        index += 1
      }
    }
    return nil
  }

  private static func closingComment(_ bytes: [UInt8], after start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index...].starts(with: "-->".utf8) { return index + 3 }
      index += 1
    }
    return bytes.count
  }

  private static func blank(_ bytes: inout [UInt8], _ range: Range<Int>) {
    for index in range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
  }
}

extension Array {
  /// Sorted by a key; elements of equal keys keep their order.
  func stablySorted(by key: (Element) -> Int) -> [Element] {
    enumerated().sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }.map(\.element)
  }
}
