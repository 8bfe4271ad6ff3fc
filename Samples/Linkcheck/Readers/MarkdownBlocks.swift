/// Prose of Markdown, without the marks of the enclosing blocks.
struct MarkdownText {
  var bytes: [UInt8] = []
  /// The line of the page at which the prose begins.
  var line: Int
}

/// Splits Markdown into paragraphs, headings and raw HTML, line by line, as CommonMark and GitHub do.
///
/// Reads each byte a fixed number of times. Quotes, list items and footnotes nest up to `deepest`; marks of deeper ones
/// are prose.
struct MarkdownBlocks {
  enum Leaf {
    case prose(MarkdownText)
    case heading(MarkdownText)
    case html(MarkdownText)
    /// A definition: `[name]: page.md`.
    case definition(label: [UInt8], Link)
  }

  static let deepest = 100

  private enum Container {
    case quote
    /// A list item or footnote, whose contents are indented by `width` columns. An empty one ends with a blank line.
    case item(width: Int, isEmpty: Bool)
  }

  private enum Open: Equatable {
    case nothing, prose, code
    case fence(UInt8, length: Int)
    case html(MarkdownHTMLBlock)
    case table(columns: Int)
  }

  private var containers: [Container] = []
  /// The number of containers that the current line belongs to.
  private var matched = 0
  private var open = Open.nothing
  /// The text of the open prose or HTML, and the offset of its last line.
  private var text = MarkdownText(line: 1)
  private var lastLine = 0
  private var lineNumber = 0
  private var leaves: [Leaf] = []

  /// The number of bytes kept of the open block.
  var keptCount: Int { text.bytes.count }

  /// Adds the next line, without its line break. Returns the blocks that it ends.
  mutating func read(_ bytes: ArraySlice<UInt8>) -> [Leaf] {
    lineNumber += 1
    var line = MarkdownLine(bytes)
    matched = 0
    while matched < containers.count, Self.continues(containers[matched], &line) { matched += 1 }
    let isContinued = matched == containers.count
    if !(isContinued && isTaken(line)) { readStarts(&line, isContinued) }
    defer { leaves = [] }
    return leaves
  }

  /// Ends the page. Returns the blocks that were still open.
  mutating func finish() -> [Leaf] {
    close()
    return leaves
  }

  private static func continues(_ container: Container, _ line: inout MarkdownLine) -> Bool {
    switch container {
    case .quote:
      guard line.indent < 4, line.content.first == UInt8(ascii: ">") else { return false }
      line.take(1)
      line.takeSpace(1)
      return true
    case .item(_, let isEmpty) where line.isBlank: return !isEmpty
    case .item(let width, _):
      guard line.indent >= width else { return false }
      line.takeSpace(width)
      return true
    }
  }

  /// Whether the open block takes the line, whatever it begins with. A blank line may end the block.
  private mutating func isTaken(_ line: MarkdownLine) -> Bool {
    switch open {
    case .fence(let mark, let length):
      if line.indent < 4,
        Self.fence(line.content).map({ $0.0 == mark && $0.1 >= length && $0.isBare }) == true
      {
        open = .nothing
      }
      return true
    case .html(let block):
      if block == .untilBlank, line.isBlank {
        close()
      } else {
        append(line.rest)
        if block.ends(with: line.rest) { close() }
      }
      return true
    case .code where line.indent >= 4 || line.isBlank: return true
    case .prose, .table, .code, .nothing:
      if line.isBlank { close() }
      return line.isBlank
    }
  }

  /// Reads a line that may begin blocks.
  private mutating func readStarts(_ line: inout MarkdownLine, _ isContinued: Bool) {
    var isContinued = isContinued
    while !line.isBlank {
      if line.indent >= 4 {
        // A paragraph continues with any indentation.
        guard open != .prose else { break }
        return begin(.code)
      }
      let content = line.content
      if content.first == UInt8(ascii: ">"), matched < Self.deepest {
        begin(.nothing)
        containers.append(.quote)
        line.take(1)
        line.takeSpace(1)
      } else if let heading = Self.heading(content) {
        begin(.nothing)
        leaves.append(.heading(MarkdownText(bytes: heading, line: lineNumber)))
        return
      } else if let (mark, length, _) = Self.fence(content) {
        return begin(.fence(mark, length: length))
      } else if let block = MarkdownHTMLBlock(content, inProse: open == .prose || isContinued && isInTable) {
        begin(.html(block))
        append(line.rest)
        if block.ends(with: line.rest) { close() }
        return
      } else if isContinued, open == .prose, Self.isUnderline(content), endsHeading() {
        return
      } else if Self.isBreak(content) {
        return begin(.nothing)
      } else if matched < Self.deepest, let width = Self.item(&line, inProse: isContinued && open == .prose) {
        begin(.nothing)
        containers.append(.item(width: width, isEmpty: true))
      } else {
        break
      }
      matched = containers.count
      isContinued = false
    }
    if line.isBlank { return closeUnmatched() }
    if isContinued, isInTable || open == .prose && beginsTable(line.content) {
      for cell in Self.cells(line.content) { note(cell, lineNumber) }
      return
    }
    if open != .prose { begin(.prose) }
    append(line.content)
  }

  private var isInTable: Bool { if case .table = open { true } else { false } }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    if text.bytes.isEmpty { text.line = lineNumber }
    lastLine = text.bytes.count
    text.bytes += line
    text.bytes.append(UInt8(ascii: "\n"))
  }

  /// Closes the open block, and the containers to which the line does not belong.
  private mutating func closeUnmatched() {
    close()
    containers.removeLast(containers.count - matched)
  }

  private mutating func begin(_ next: Open) {
    closeUnmatched()
    open = next
    if case .item(let width, _)? = containers.last {
      containers[containers.count - 1] = .item(width: width, isEmpty: false)
    }
  }

  private mutating func close() {
    switch open {
    case .prose:
      takeDefinitions()
      note(text.bytes, text.line)
    case .html: leaves.append(.html(text))
    default: break
    }
    (open, text.bytes) = (.nothing, [])
  }

  private mutating func note(_ prose: some Collection<UInt8>, _ line: Int) {
    if !prose.isEmpty { leaves.append(.prose(MarkdownText(bytes: Array(prose), line: line))) }
  }

  /// Removes the definitions at the beginning of the open paragraph.
  private mutating func takeDefinitions() {
    var start = 0
    while let (label, destination, end) = MarkdownDestination.definition(text.bytes, from: start) {
      leaves.append(.definition(label: label, Link(text: destination, line: text.line)))
      text.line += text.bytes[start..<end].count { $0 == UInt8(ascii: "\n") }
      start = end
    }
    text.bytes.removeFirst(start)
  }

  /// Turns the open paragraph into a heading, unless it consists of definitions only.
  private mutating func endsHeading() -> Bool {
    takeDefinitions()
    let isHeading = !text.bytes.isEmpty
    if isHeading { leaves.append(.heading(MarkdownText(bytes: Array(text.bytes.trimmed), line: text.line))) }
    (open, text.bytes) = (.nothing, [])
    return isHeading
  }
}

/// The beginnings of lines.
extension MarkdownBlocks {
  /// The text of `## heading ##`.
  private static func heading(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    let marks = content.prefix { $0 == UInt8(ascii: "#") }
    var rest = content[marks.endIndex...]
    guard (1...6).contains(marks.count), rest.first.map(ASCII.isBlank) ?? true else { return nil }
    rest = rest.trimmed
    var closing = rest
    while closing.last == UInt8(ascii: "#") { closing.removeLast() }
    return Array(closing.last.map(ASCII.isSpace) ?? true ? closing.trimmed : rest)
  }

  /// The character of a code fence, the number of these, and whether nothing else follows.
  private static func fence(_ content: ArraySlice<UInt8>) -> (UInt8, Int, isBare: Bool)? {
    guard let mark = content.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
    let rest = content.drop { $0 == mark }
    guard content.count - rest.count >= 3, mark == UInt8(ascii: "~") || !rest.contains(mark) else {
      return nil
    }
    return (mark, content.count - rest.count, rest.allSatisfy(ASCII.isBlank))
  }

  private static func isUnderline(_ content: ArraySlice<UInt8>) -> Bool {
    guard let mark = content.first, mark == UInt8(ascii: "=") || mark == UInt8(ascii: "-") else {
      return false
    }
    return content.drop { $0 == mark }.allSatisfy(ASCII.isBlank)
  }

  private static func isBreak(_ content: ArraySlice<UInt8>) -> Bool {
    guard let mark = content.first, "*-_".utf8.contains(mark) else { return false }
    return content.allSatisfy { $0 == mark || ASCII.isBlank($0) } && content.count(where: { $0 == mark }) >= 3
  }

  /// Takes the mark of a list item or a footnote. Returns the indentation of its other lines. An empty item, or an item
  /// whose number is not 1, does not interrupt a paragraph.
  private static func item(_ line: inout MarkdownLine, inProse: Bool) -> Int? {
    let content = line.content
    guard let first = content.first else { return nil }
    if first == UInt8(ascii: "["), let length = MarkdownDestination.footnoteMark(content) {
      line.take(length)
      return 4
    }
    let digits = "-*+".utf8.contains(first) ? 0 : content.prefix(10).prefix(while: ASCII.isDigit).count
    let rest = content.dropFirst(digits + 1)
    if digits > 0 {
      guard digits < 10, ".)".utf8.contains(content.dropFirst(digits).first ?? 0) else { return nil }
      if inProse, Int(String(decoding: content.prefix(digits), as: UTF8.self)) != 1 { return nil }
    } else if !"-*+".utf8.contains(first) {
      return nil
    }
    guard rest.first.map(ASCII.isBlank) ?? true, !inProse || !rest.trimmed.isEmpty else { return nil }
    let indent = line.indent
    line.take(digits + 1)
    let space = line.isBlank || line.indent > 4 ? 1 : line.indent
    line.takeSpace(space)
    return indent + digits + 1 + space
  }
}

/// Tables.
extension MarkdownBlocks {
  /// Whether the line is the second one of a table, whose first is the last line of the open paragraph. Takes that
  /// line.
  private mutating func beginsTable(_ content: ArraySlice<UInt8>) -> Bool {
    guard let mark = content.first, "|:-".utf8.contains(mark),
      content.allSatisfy({ " \t|:-".utf8.contains($0) })
    else { return false }
    let marks = Self.cells(content)
    let isMark = { (cell: [UInt8]) in
      let dashes = cell.drop { $0 == UInt8(ascii: ":") }.prefix { $0 == UInt8(ascii: "-") }
      return !dashes.isEmpty && dashes.startIndex < 2 && cell.count - dashes.endIndex < 2
        && cell[dashes.endIndex...].allSatisfy { $0 == UInt8(ascii: ":") }
    }
    let heads = Self.cells(text.bytes[lastLine...])
    guard marks.allSatisfy(isMark), heads.count == marks.count else { return false }
    text.bytes.removeLast(text.bytes.count - lastLine)
    close()
    for head in heads { note(head, lineNumber - 1) }
    open = .table(columns: heads.count)
    return true
  }

  /// The cells of a row. Contents after the last column are not shown.
  private static func cells(_ row: ArraySlice<UInt8>) -> [[UInt8]] {
    var cells: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in row.trimmed {
      if byte == UInt8(ascii: "|"), !isEscaped {
        cells.append([])
      } else {
        // The `|` is no part of a link in the cell.
        if byte == UInt8(ascii: "|") { cells[cells.count - 1].removeLast() }
        cells[cells.count - 1].append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    if cells.count > 1, cells.first?.trimmed.isEmpty == true { cells.removeFirst() }
    if cells.count > 1, cells.last?.trimmed.isEmpty == true { cells.removeLast() }
    return cells.map { Array($0[...].trimmed) }
  }
}
