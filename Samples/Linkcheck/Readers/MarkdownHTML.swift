/// A block of raw HTML in Markdown, by its end.
enum MarkdownHTMLBlock: Equatable {
  case untilBlank
  /// Ends with the line that contains one of these texts.
  case until([String])

  /// The block that begins with the line; `nil` if none does. Within a paragraph, only certain elements begin one.
  init?(_ content: ArraySlice<UInt8>, inProse: Bool) {
    guard content.first == UInt8(ascii: "<") else { return nil }
    if let (_, end) = MarkdownTags.unnamed(content) {
      self = .until([end])
      return
    }
    let isEnd = content.dropFirst().first == UInt8(ascii: "/")
    let name = content.dropFirst(isEnd ? 2 : 1).prefix(16).prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
    let rest = content[name.endIndex...]
    let element = String(decoding: name.map(ASCII.lower), as: UTF8.self)
    let isName = rest.first.map { ASCII.isSpace($0) || $0 == UInt8(ascii: ">") } ?? true
    if isName, !isEnd, Self.texts.contains(element) {
      self = .until(Self.texts.map { "</\($0)>" })
    } else if (isName || rest.starts(with: "/>".utf8)) && Self.blocks.contains(element) {
      self = .untilBlank
    } else {
      var tags = MarkdownTags()
      guard !inProse, let end = tags.end(in: content, from: content.startIndex),
        content[end...].trimmed.isEmpty,
        !name.isEmpty
      else { return nil }
      self = .untilBlank
    }
  }

  /// Whether the line is the last one. Compares each byte with a fixed number of texts.
  func ends(with line: ArraySlice<UInt8>) -> Bool {
    guard case .until(let texts) = self else { return false }
    return line.end(ofFirst: texts) != nil
  }

  private static let texts = ["script", "pre", "textarea", "style"]

  private static let blocks = Set(
    """
    address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt \
    fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link \
    main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead \
    title tr track ul
    """.split(separator: " ").map(String.init))
}

/// Finds the ends of tags and comments in the prose of Markdown.
///
/// A missing end is searched for only once, so that the whole text costs time proportional to its length.
struct MarkdownTags {
  /// The ends that do not occur in the rest of the text.
  private var missing: Set<String> = []

  /// The index after the tag, comment, instruction or declaration at `start`; `nil` if there is none.
  mutating func end(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    let rest = bytes[start...]
    let next = rest.dropFirst().first ?? 0
    if ASCII.isLetter(next) { return Self.openTag(rest) }
    if next == UInt8(ascii: "/") {
      let name = rest.dropFirst(2)
      let space = name.drop(while: Self.isNameByte).drop(while: ASCII.isSpace)
      guard name.first.map(ASCII.isLetter) == true, space.first == UInt8(ascii: ">") else { return nil }
      return space.startIndex + 1
    }
    for done in ["<!-->", "<!--->"] where rest.starts(with: done.utf8) { return start + done.utf8.count }
    guard let (opening, end) = Self.unnamed(rest), !missing.contains(end) else { return nil }
    let found = rest.dropFirst(opening.utf8.count).end(ofFirst: [end])
    if found == nil { missing.insert(end) }
    return found
  }

  /// The beginning of a comment, an instruction, a CDATA section or a declaration at this place, and its end.
  static func unnamed(_ text: ArraySlice<UInt8>) -> (opening: String, end: String)? {
    [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")].first { opening, _ in
      text.starts(with: opening.utf8)
        && (opening != "<!" || text.dropFirst(2).first.map(ASCII.isLetter) == true)
    }
  }

  /// The length of a start tag such as `<a href="b" c>`.
  private static func openTag(_ text: ArraySlice<UInt8>) -> Int? {
    var rest = text.dropFirst().drop(while: isNameByte)
    while true {
      let space = rest.prefix(while: ASCII.isSpace)
      rest = rest[space.endIndex...]
      if rest.starts(with: "/>".utf8) { return rest.startIndex + 2 }
      guard let next = rest.first else { return nil }
      if next == UInt8(ascii: ">") { return rest.startIndex + 1 }
      guard !space.isEmpty, ASCII.isLetter(next) || next == UInt8(ascii: "_") || next == UInt8(ascii: ":")
      else {
        return nil
      }
      rest = rest.drop { isNameByte($0) || "_.:".utf8.contains($0) }
      let value = rest.drop(while: ASCII.isSpace)
      guard value.first == UInt8(ascii: "=") else { continue }
      rest = value.dropFirst().drop(while: ASCII.isSpace)
      if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        rest = rest.dropFirst().drop { $0 != quote }
        guard !rest.isEmpty else { return nil }
        rest = rest.dropFirst()
      } else {
        let word = rest.prefix { !ASCII.isSpace($0) && !"\"'=<>`".utf8.contains($0) }
        guard !word.isEmpty else { return nil }
        rest = rest[word.endIndex...]
      }
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
  }
}
