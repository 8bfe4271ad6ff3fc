/// Markdown cut into what a link can stand in and what it cannot.
///
/// Follows CommonMark where it matters for links, and GitHub in what a heading's anchor is. Lists and quotes
/// are not nested blocks here: their text is read like any other.
struct MarkdownBlocks {
  /// The text with code blocks, front matter and link definitions emptied. Its lines are the page's lines.
  private(set) var prose: [String] = []
  /// The headings' text, as it is written.
  private(set) var headings: [String] = []
  /// The links of definitions such as `[name]: page.md`.
  private(set) var definitions: [Link] = []

  private var fence: Fence?
  private var isInList = false
  private var isAfterBlank = true

  private struct Fence {
    var character: Character
    var length: Int
  }

  init(_ text: String) {
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    var start = 0
    if lines.first == "---", let end = lines.dropFirst().firstIndex(where: { $0 == "---" || $0 == "..." }) {
      start = end + 1
      prose = Array(repeating: "", count: start)
    }
    for line in lines[start...] { prose.append(String(read(line))) }
  }

  /// Takes one line and returns what of it is prose.
  private mutating func read(_ line: Substring) -> Substring {
    let content = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
    if let open = fence {
      if Self.closes(open, content) { fence = nil }
      return ""
    }
    if let opened = Self.fence(content) {
      fence = opened
      isAfterBlank = true
      return ""
    }
    if content.isEmpty {
      isAfterBlank = true
      return ""
    }
    let beginsBlock = isAfterBlank
    let isIndented = line.hasPrefix("    ") || line.hasPrefix("\t")
    // What follows code without a blank line belongs to it, so the line counts as blank.
    if isIndented, beginsBlock, !isInList { return "" }
    isAfterBlank = false
    if Self.isListItem(content) {
      isInList = true
    } else if beginsBlock, line.first?.isWhitespace != true {
      isInList = false
    }
    noteHeading(content)
    if beginsBlock || isAfterDefinition, let definition = Self.definition(content, line: prose.count + 1) {
      definitions.append(definition)
      return ""
    }
    return line
  }

  private var isAfterDefinition: Bool { definitions.last?.line == prose.count }

  private mutating func noteHeading(_ content: Substring) {
    let marks = content.prefix { $0 == "#" }
    if (1...6).contains(marks.count) {
      let rest = content.dropFirst(marks.count)
      guard rest.first.map({ $0 == " " || $0 == "\t" }) ?? true else { return }
      headings.append(Self.withoutClosingMarks(rest))
    } else if let last = prose.last, !last.trimmed.isEmpty, !last.trimmed.hasPrefix("#"),
      content.first == "=" || content.first == "-",
      String(content).trimmed.allSatisfy({ $0 == content.first }),
      content.first == "=" || !Self.isListItem(last[...].drop { $0 == " " })
    {
      headings.append(last.trimmed)
    }
  }

  private static func withoutClosingMarks(_ text: Substring) -> String {
    let trimmed = String(text).trimmed
    var rest = Substring(trimmed)
    while rest.last == "#" { rest.removeLast() }
    return rest.isEmpty || rest.last?.isWhitespace == true ? String(rest).trimmed : trimmed
  }

  private static func fence(_ content: Substring) -> Fence? {
    // A fence may be the first thing in a list item.
    let content = isListItem(content) ? content.drop { $0 != "`" && $0 != "~" } : content
    guard let first = content.first, first == "`" || first == "~" else { return nil }
    let length = content.prefix { $0 == first }.count
    guard length >= 3, first == "~" || !content.dropFirst(length).contains("`") else { return nil }
    return Fence(character: first, length: length)
  }

  private static func closes(_ fence: Fence, _ content: Substring) -> Bool {
    let length = content.prefix { $0 == fence.character }.count
    return length >= fence.length && content.dropFirst(length).allSatisfy(\.isWhitespace)
  }

  private static func isListItem(_ content: Substring) -> Bool {
    let rest: Substring
    if let first = content.first, "-*+".contains(first) {
      rest = content.dropFirst()
    } else {
      let digits = content.prefix { $0.isASCII && $0.isNumber }
      guard (1...9).contains(digits.count), let mark = content.dropFirst(digits.count).first,
        mark == "." || mark == ")"
      else { return false }
      rest = content.dropFirst(digits.count + 1)
    }
    return rest.isEmpty || rest.first?.isWhitespace == true
  }

  private static func definition(_ content: Substring, line: Int) -> Link? {
    guard content.first == "[", let end = content.firstIndex(of: "]") else { return nil }
    let label = content[content.index(after: content.startIndex)..<end]
    let rest = content[end...].dropFirst()
    guard rest.first == ":", !label.allSatisfy(\.isWhitespace), !label.hasPrefix("^"), !label.contains("[")
    else { return nil }
    let text = Array(String(rest.dropFirst()).trimmed.utf8)
    guard let (destination, end) = MarkdownDestination.read(text, from: 0) else { return nil }
    // After the destination only a title may follow.
    let title = String(decoding: text[end...], as: UTF8.self).trimmed
    guard title.isEmpty || "\"'(".contains(title.first ?? " "), !destination.isEmpty else { return nil }
    return Link(text: destination, line: line)
  }
}
