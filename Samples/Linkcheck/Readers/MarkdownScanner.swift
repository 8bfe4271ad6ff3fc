/// Finds links and anchors in Markdown that arrives in parts.
///
/// Reads each byte a fixed number of times. Text whose meaning depends on definitions that may follow, such as `[[text]
/// [name]](page.md)`, is kept and read again at the end of the page. Ends early in a cancelled task.
struct MarkdownScanner: PartScanner {
  private let isArticle: Bool
  /// The current, incomplete line.
  private var line: [UInt8] = []
  /// Whether the last byte was a carriage return. A line feed after it belongs to the same line break.
  private var isInLineEnd = false
  /// The lines of possible front matter at the beginning, until its end.
  private var frontMatter: [[UInt8]]?
  private var isBeginning = true
  private var blocks = MarkdownBlocks()
  private var references: Set<[UInt8]> = []
  private var later: [MarkdownText] = []
  private var laterCount = 0
  private var headings: [Heading] = []
  /// The text of the open HTML heading.
  private var openHeading: [UInt8]?
  /// The links and anchors found so far.
  private(set) var document = Document()

  private enum Heading {
    case markdown(MarkdownText)
    case text(String)
  }

  init(isArticle: Bool) { self.isArticle = isArticle }

  /// The number of bytes kept for the next part, since they are incomplete.
  var keptCount: Int {
    line.count + (frontMatter ?? []).reduce(0) { $0 + $1.count + 1 } + blocks.keptCount + laterCount
      + (openHeading?.count ?? 0)
  }

  /// Adds the next part.
  mutating func scan(_ part: [UInt8], isLast: Bool) {
    var rest = part[...]
    while !Task.isCancelled {
      if isInLineEnd, let next = rest.first {
        isInLineEnd = false
        if next == UInt8(ascii: "\n") { rest.removeFirst() }
      }
      let text = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      line += text
      rest = rest[text.endIndex...]
      guard let end = rest.popFirst() else { break }
      isInLineEnd = end == UInt8(ascii: "\r")
      readFirst(line[...])
      line = []
    }
    if isLast { finish() }
  }

  /// Reads a line, unless it belongs to the front matter.
  private mutating func readFirst(_ line: ArraySlice<UInt8>) {
    let isMark = line.starts(with: "---".utf8) && line.dropFirst(3).trimmed.isEmpty
    if isBeginning, isMark { frontMatter = [] }
    guard frontMatter != nil else {
      isBeginning = false
      return read(blocks.read(line))
    }
    let isEnd = !isBeginning && (isMark || line.starts(with: "...".utf8) && line.dropFirst(3).trimmed.isEmpty)
    isBeginning = false
    guard isEnd else {
      frontMatter?.append(Array(line))
      return
    }
    // Replaces the front matter by empty lines, so that the other lines keep their numbers.
    for _ in 0...(frontMatter?.count ?? 0) { read(blocks.read([])) }
    frontMatter = nil
  }

  private mutating func finish() {
    if !line.isEmpty { readFirst(line[...]) }
    // The beginning of the page was no front matter after all.
    for line in frontMatter ?? [] { read(blocks.read(line[...])) }
    read(blocks.finish())
    for text in later { note(MarkdownInlines(text, references: references, wantsText: false)) }
    var slugs = HeadingSlugs()
    for heading in headings { note(heading, &slugs) }
    document.links = document.links.stablySorted(by: \.line)
    (frontMatter, later, laterCount, headings) = (nil, [], 0, [])
  }

  private mutating func read(_ leaves: [MarkdownBlocks.Leaf]) {
    for leaf in leaves {
      switch leaf {
      case .definition(let label, let link):
        references.insert(label)
        document.links.append(link)
      case .heading(let text): headings.append(.markdown(text))
      case .html(let text): read(html: text)
      case .prose(let text): read(prose: text)
      }
    }
  }

  private mutating func read(prose: MarkdownText) {
    var inlines = MarkdownInlines(prose, references: references, wantsText: openHeading != nil)
    openHeading? += inlines.takeText().utf8
    guard inlines.dependsOnDefinitions else { return note(inlines) }
    later.append(prose)
    laterCount += prose.bytes.count
  }

  private mutating func read(html text: MarkdownText) {
    var html = HTMLScanner(isXML: false, openHeading: openHeading)
    html.scan(text.bytes, isLast: true)
    document.anchors.formUnion(html.document.anchors)
    for var link in html.document.links {
      link.line += text.line - 1
      document.links.append(link)
    }
    headings += html.headings.map { .text($0) }
    openHeading = html.openHeading
  }

  private mutating func note(_ inlines: MarkdownInlines) {
    document.links += inlines.links
    document.anchors.formUnion(inlines.anchors)
    if isArticle { document.symbols.formUnion(inlines.symbols) }
  }

  private mutating func note(_ heading: Heading, _ slugs: inout HeadingSlugs) {
    switch heading {
    case .text(let text) where text.trimmed.isEmpty: break
    case .text(let text):
      document.anchors.insert(slugs.anchor(of: text))
      // Without the space around the tags.
      document.anchors.insert(Fragment(HeadingSlugs.slug(text.trimmed)))
    case .markdown(var markdown):
      if let (text, name) = Self.named(markdown.bytes) {
        markdown.bytes = text
        document.anchors.insert(Fragment(name))
      }
      var inlines = MarkdownInlines(markdown, references: references, wantsText: true)
      note(inlines)
      let text = inlines.takeText()
      document.anchors.insert(slugs.anchor(of: text))
      if isArticle { document.anchors.insert(Fragment(ofArticleHeading: text)) }
    }
  }

  /// The parts of a heading with a name: `Heading {#name}`.
  private static func named(_ heading: [UInt8]) -> (text: [UInt8], name: String)? {
    guard heading.last == UInt8(ascii: "}"), let start = heading.lastIndex(of: UInt8(ascii: "{")),
      heading.count - start > 3, heading[start + 1] == UInt8(ascii: "#"),
      !heading[start..<heading.count - 1].contains(UInt8(ascii: "}"))
    else { return nil }
    return (
      Array(heading[..<start].trimmed), String(decoding: heading[(start + 2)...].dropLast(), as: UTF8.self)
    )
  }
}

extension Array {
  /// Sorts by a key; elements of equal keys keep their order.
  func stablySorted(by key: (Element) -> Int) -> [Element] {
    enumerated().sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }.map(\.element)
  }
}
