/// Finds links and anchors in Markdown, of which one part may come after the other.
struct MarkdownScanner {
  private let isArticle: Bool
  /// The text that has not been read.
  private var bytes: [UInt8] = []
  /// How many lines have been read.
  private var lineCount = 0
  private var slugs = HeadingSlugs()
  /// The links and anchors found so far.
  private(set) var document = Document()

  /// Reads a page, whose text is UTF-8.
  ///
  /// - Parameter isArticle: whether the page is in a DocC catalogue, which gives its headings anchors of their own.
  static func document(of text: [UInt8], isArticle: Bool = false) -> Document {
    var scanner = MarkdownScanner(isArticle: isArticle)
    scanner.scan(text, isLast: true)
    return scanner.document
  }

  static func document(of text: String) -> Document { document(of: Array(text.utf8)) }

  init(isArticle: Bool) { self.isArticle = isArticle }

  /// How many bytes are kept, since what they begin is not complete.
  var keptCount: Int { bytes.count }

  /// Takes the next part.
  mutating func scan(_ part: [UInt8], isLast: Bool) {
    bytes += part
    if isLast {
      _ = read(bytes, isLast: true)
      bytes = []
    } else if let end = Self.lastParagraph(of: bytes), read(Array(bytes[..<end]), isLast: false) {
      bytes.removeFirst(end)
    }
  }

  /// Where a paragraph begins that is indented by nothing, and with which all begins anew, unless something is open.
  private static func lastParagraph(of bytes: [UInt8]) -> Int? {
    var index = bytes.count - 1
    while index > 1 {
      if !ASCII.isSpace(bytes[index]), bytes[index - 1] == UInt8(ascii: "\n"),
        bytes[index - 2] == UInt8(ascii: "\n")
          || index > 2 && bytes[index - 2] == UInt8(ascii: "\r") && bytes[index - 3] == UInt8(ascii: "\n")
      {
        return index
      }
      index -= 1
    }
    return nil
  }

  /// Takes what is in a text that ends with a paragraph. Returns whether nothing is open at its end; otherwise nothing
  /// is taken, if more follows.
  private mutating func read(_ text: [UInt8], isLast: Bool) -> Bool {
    let blocks = MarkdownBlocks(text, isBeginning: lineCount == 0)
    let (prose, hasOpenComment) = MarkdownCode.masked(blocks.prose)
    // Raw HTML may have links and anchors of its own.
    var html = HTMLScanner(isXML: false)
    html.scan(prose, isLast: isLast)
    guard isLast || blocks.isComplete && !hasOpenComment && html.isComplete else { return false }
    var inlines = MarkdownInlines(prose)
    let links = (html.document.links + blocks.definitions + inlines.links()).stablySorted(by: \.line)
    document.links += links.map { link in
      var link = link
      link.line += lineCount
      return link
    }
    document.anchors.formUnion(html.document.anchors)
    for heading in blocks.headings {
      document.anchors.formUnion(slugs.anchors(of: heading))
      if isArticle { document.anchors.insert(Fragment(ofArticleHeading: HeadingText.plain(heading))) }
    }
    if isArticle { document.symbols.formUnion(ArticleSymbols.named(in: blocks.prose)) }
    // The next part continues the last line, which is empty.
    lineCount += blocks.lineNumber - 1
    return true
  }
}

/// Empties what is code or comment in prose, so that no link is seen in it. Every line keeps its place.
enum MarkdownCode {
  ///
  /// - Returns: the prose, and whether the end of a comment is not there.
  static func masked(_ bytes: [UInt8]) -> (prose: [UInt8], hasOpenComment: Bool) {
    var output = bytes
    var index = 0
    var isOpen = false
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
        isOpen = end == nil
        blank(&output, index..<(end ?? bytes.count))
        index = end ?? bytes.count
      default:
        index += 1
      }
    }
    return (output, isOpen)
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

  private static func closingComment(_ bytes: [UInt8], after start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index...].starts(with: "-->".utf8) { return index + 3 }
      index += 1
    }
    return nil
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
