/// Markdown cut into what a link can stand in and what it cannot.
///
/// Follows CommonMark where it matters for links, and GitHub in what a heading's anchor is. Lists and quotes
/// are not nested blocks here: their text is read like any other.
struct MarkdownBlocks {
  typealias Line = ArraySlice<UInt8>

  /// The text with code blocks, front matter and link definitions emptied. Its lines are the page's lines.
  private(set) var prose: [UInt8] = []
  /// The headings' text, as it is written.
  private(set) var headings: [String] = []
  /// The links of definitions such as `[name]: page.md`.
  private(set) var definitions: [Link] = []

  /// The number of the line that is being read, and in the end of the last.
  private(set) var lineNumber = 0
  /// The line before, as far as it is prose.
  private var lastProse: Line = []
  private var fence: Fence?
  private var isInList = false
  private var isAfterBlank = true

  private struct Fence {
    var byte: UInt8
    var length: Int
  }

  /// Whether all that was begun has ended: front matter, and a block of code between fences.
  private(set) var isComplete = true

  /// - Parameter isBeginning: whether the page begins with it.
  init(_ text: [UInt8], isBeginning: Bool = true) {
    let lines = Self.lines(of: text)
    var frontMatter = 0
    let mayHaveFrontMatter = isBeginning && lines.first.map { $0.elementsEqual("---".utf8) } == true
    if mayHaveFrontMatter,
      let end = lines.dropFirst().firstIndex(where: {
        $0.elementsEqual("---".utf8) || $0.elementsEqual("...".utf8)
      })
    {
      frontMatter = end + 1
    }
    prose.reserveCapacity(text.count + 1)
    for (index, line) in lines.enumerated() {
      lineNumber = index + 1
      lastProse = index < frontMatter ? [] : read(line)
      prose += lastProse
      if lineNumber < lines.count { prose.append(UInt8(ascii: "\n")) }
    }
    isComplete = fence == nil && mayHaveFrontMatter == (frontMatter > 0)
  }

  private static func lines(of text: [UInt8]) -> [Line] {
    var text = text
    if text.contains(UInt8(ascii: "\r")) {
      var next: UInt8?
      for index in text.indices.reversed() where text[index] == UInt8(ascii: "\r") {
        next = index + 1 < text.count ? text[index + 1] : nil
        // Of the two bytes of a line's end, the first becomes space, which ends a line as well.
        text[index] = next == UInt8(ascii: "\n") ? UInt8(ascii: " ") : UInt8(ascii: "\n")
      }
    }
    return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
      \.withoutTrailingSpace)
  }

  /// Takes one line and returns what of it is prose.
  private mutating func read(_ line: Line) -> Line {
    let content = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ">") }
    if let open = fence {
      if Self.closes(open, content) { fence = nil }
      return []
    }
    if let opened = Self.fence(content) {
      fence = opened
      isAfterBlank = true
      return []
    }
    if content.isEmpty {
      isAfterBlank = true
      return []
    }
    let beginsBlock = isAfterBlank
    let isIndented = line.starts(with: "    ".utf8) || line.first == 0x09
    // A line that follows code without a blank line belongs to it, so the line counts as blank.
    if isIndented, beginsBlock, !isInList { return [] }
    isAfterBlank = false
    if Self.isListItem(content) {
      isInList = true
    } else if beginsBlock, line.first.map(ASCII.isSpace) != true {
      isInList = false
    }
    noteHeading(content)
    if beginsBlock || isAfterDefinition,
      let definition = MarkdownDestination.definition(content, line: lineNumber)
    {
      definitions.append(definition)
      return []
    }
    return line
  }

  private var isAfterDefinition: Bool { definitions.last?.line == lineNumber - 1 }

  private mutating func noteHeading(_ content: Line) {
    let marks = content.prefix { $0 == UInt8(ascii: "#") }
    if (1...6).contains(marks.count) {
      let rest = content[marks.endIndex...]
      guard rest.first.map(ASCII.isSpace) ?? true else { return }
      headings.append(Self.withoutClosingMarks(rest))
    } else if let mark = content.first, mark == UInt8(ascii: "=") || mark == UInt8(ascii: "-"),
      content.allSatisfy({ $0 == mark }), let first = lastProse.first(where: { !ASCII.isSpace($0) }),
      first != UInt8(ascii: "#"),
      mark == UInt8(ascii: "=") || !Self.isListItem(lastProse.drop { $0 == 0x20 })
    {
      headings.append(String(decoding: lastProse, as: UTF8.self).trimmed)
    }
  }

  private static func withoutClosingMarks(_ text: Line) -> String {
    let trimmed = String(decoding: text, as: UTF8.self).trimmed
    var rest = Array(trimmed.utf8)[...]
    while rest.last == UInt8(ascii: "#") { rest.removeLast() }
    guard rest.isEmpty || rest.last.map(ASCII.isSpace) == true else { return trimmed }
    return String(decoding: rest, as: UTF8.self).trimmed
  }

  private static func fence(_ content: Line) -> Fence? {
    // A fence may be the first thing in a list item.
    let content =
      isListItem(content) ? content.drop { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "~") } : content
    guard let first = content.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else {
      return nil
    }
    let length = content.prefix { $0 == first }.count
    guard length >= 3, first == UInt8(ascii: "~") || !content.dropFirst(length).contains(UInt8(ascii: "`"))
    else { return nil }
    return Fence(byte: first, length: length)
  }

  private static func closes(_ fence: Fence, _ content: Line) -> Bool {
    let length = content.prefix { $0 == fence.byte }.count
    return length >= fence.length && content.dropFirst(length).allSatisfy(ASCII.isSpace)
  }

  private static func isListItem(_ content: Line) -> Bool {
    let rest: Line
    if let first = content.first, "-*+".utf8.contains(first) {
      rest = content.dropFirst()
    } else {
      let digits = content.prefix { ASCII.isDigit($0) }
      guard (1...9).contains(digits.count), let mark = content[digits.endIndex...].first,
        mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")")
      else { return false }
      rest = content[digits.endIndex...].dropFirst()
    }
    return rest.first.map(ASCII.isSpace) ?? true
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutTrailingSpace: Self {
    var rest = self
    while let last = rest.last, ASCII.isSpace(last) { rest.removeLast() }
    return rest
  }
}
