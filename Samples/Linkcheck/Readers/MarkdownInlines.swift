/// Finds the links in prose of Markdown: `[text](page.md)`, images, `<https://…>`, bare URLs and tags of HTML. If
/// wanted, also collects the prose's visible text.
///
/// Reads in one pass. Searches are bounded (labels, hosts, brackets in a destination), or are made only once for the
/// whole text (the ends of comments and code).
///
/// References such as `[text][name]` need no look-up, since the definition of `name` contains the link.
struct MarkdownInlines {
  private let bytes: ArraySlice<UInt8>
  private let references: Set<[UInt8]>
  private var index: Int
  private var line: Int
  private var found: [Found] = []
  /// The open brackets. Of the first `closedCount`, only those of images can begin something, since the text of a link
  /// contains no links.
  private var openings: [Opening] = []
  private var closedCount = 0
  private var tags = MarkdownTags()
  /// By the length of back-tick runs, the positions of runs of that length in descending order; `nil` before the first
  /// search.
  private var ticks: [Int: [Int]]?
  private var text: MarkdownEmphasis?
  private(set) var anchors: Set<Fragment> = []
  /// The contents of ``` ``Store/send(_:)`` ```, in parts.
  private(set) var symbols: Set<String> = []
  /// Whether missing definitions could change the result.
  private(set) var dependsOnDefinitions = false

  private struct Found {
    var link: Link
    var isBare = false
    var isHTML = false
  }

  private struct Opening {
    /// The index after the bracket.
    var start: Int
    var line: Int
    var isImage: Bool
    /// The number of links found before the bracket.
    var foundBefore: Int
    /// The text before it.
    var place: MarkdownEmphasis.Place?
    /// Whether another bracket was opened inside.
    var hasInner = false
  }

  init(_ prose: MarkdownText, references: Set<[UInt8]>, wantsText: Bool) {
    (bytes, line, self.references) = (prose.bytes[...], prose.line, references)
    index = bytes.startIndex
    if wantsText { text = MarkdownEmphasis() }
    while !Task.isCancelled, let next = peek() { read(next) }
  }

  /// The links. On each line, those of tags come first.
  var links: [Link] { (found.filter(\.isHTML) + found.filter { !$0.isHTML }).map(\.link) }

  /// The text without marks, images and tags.
  mutating func takeText() -> String {
    text?.end(from: nil)
    return text?.plain ?? ""
  }

  private mutating func read(_ next: UInt8) {
    switch next {
    case UInt8(ascii: "\\"):
      let isEscape = index + 1 < bytes.endIndex && MarkdownDestination.isPunctuation(bytes[index + 1])
      advance(to: isEscape ? index + 2 : index + 1, showing: (isEscape ? index + 1 : index)...)
    case UInt8(ascii: "`"): readCode()
    case UInt8(ascii: "["): open(isImage: false)
    case UInt8(ascii: "!") where index + 1 < bytes.endIndex && bytes[index + 1] == UInt8(ascii: "["):
      open(isImage: true)
    case UInt8(ascii: "]"): closeBracket()
    case UInt8(ascii: "<"): readAngle()
    case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "w"), UInt8(ascii: "W"): readBareURL()
    case UInt8(ascii: "&") where text != nil:
      let end = bytes[index...].prefix(40).firstIndex(of: UInt8(ascii: ";")).map { $0 + 1 } ?? index + 1
      text?.append(
        CharacterReferences.decoded(String(decoding: bytes[index..<end], as: UTF8.self), in: .text))
      index = end
    case UInt8(ascii: "*") where text != nil, UInt8(ascii: "_") where text != nil:
      let end = bytes[index...].firstIndex { $0 != next } ?? bytes.endIndex
      text?.append(index..<end, of: bytes)
      index = end
    default:
      let end = bytes[(index + 1)...].firstIndex(where: Self.isMark) ?? bytes.endIndex
      advance(to: end, showing: index...)
    }
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "!"),
      UInt8(ascii: "<"), UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "w"), UInt8(ascii: "W"),
      UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func peek() -> UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  /// Advances to `end`. The text from `shown` on is visible to a reader.
  private mutating func advance(to end: Int, showing shown: PartialRangeFrom<Int>? = nil) {
    if let shown { text?.append(bytes[shown.lowerBound..<end]) }
    line += bytes[index..<end].count { $0 == UInt8(ascii: "\n") }
    index = end
  }

  private mutating func readCode() {
    let start = bytes[index...].firstIndex { $0 != UInt8(ascii: "`") } ?? bytes.endIndex
    guard let end = closingTicks(after: start, count: start - index) else {
      return advance(to: start, showing: index...)
    }
    var code = bytes[start..<end]
    if start - index == 2 {
      symbols.formUnion(code.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) })
    }
    if code.first.map(ASCII.isSpace) == true, code.last.map(ASCII.isSpace) == true, !code.trimmed.isEmpty {
      code = code.dropFirst().dropLast()
    }
    text?.append(code)
    advance(to: end + start - index)
  }

  /// The next run of exactly `count` back-ticks.
  private mutating func closingTicks(after start: Int, count: Int) -> Int? {
    if ticks == nil { ticks = Self.ticks(in: bytes[start...]) }
    while let place = ticks?[count]?.last, place < start { ticks?[count]?.removeLast() }
    return ticks?[count]?.last
  }

  private static func ticks(in bytes: ArraySlice<UInt8>) -> [Int: [Int]] {
    var places: [Int: [Int]] = [:]
    var rest = bytes
    while let last = rest.lastIndex(of: UInt8(ascii: "`")) {
      let before = rest[...last].lastIndex { $0 != UInt8(ascii: "`") } ?? bytes.startIndex - 1
      places[last - before, default: []].append(before + 1)
      rest = rest[..<(before + 1)]
    }
    return places
  }
}

/// Brackets.
extension MarkdownInlines {
  private mutating func open(isImage: Bool) {
    if !openings.isEmpty { openings[openings.count - 1].hasInner = true }
    let end = index + (isImage ? 2 : 1)
    openings.append(
      Opening(start: end, line: line, isImage: isImage, foundBefore: found.count, place: text?.place))
    advance(to: end, showing: index...)
  }

  private mutating func closeBracket() {
    let close = index
    guard let opening = openings.popLast() else { return advance(to: close + 1, showing: close...) }
    let isOpen = opening.isImage || openings.count >= closedCount
    closedCount = min(closedCount, openings.count)
    guard isOpen, let (link, end) = destination(of: opening, closedAt: close) else {
      return advance(to: close + 1, showing: close...)
    }
    // The text of an image has no links. In the text of a link, a URL is not a link of its own, but an image is.
    let inner = found[opening.foundBefore...].filter { !opening.isImage && !$0.isBare }
    found.replaceSubrange(opening.foundBefore..., with: inner)
    if let link { found.append(Found(link: Link(text: link, line: opening.line))) }
    if let place = opening.place {
      if opening.isImage { text?.remove(from: place) } else { text?.end(from: place) }
    }
    if !opening.isImage { closedCount = openings.count }
    advance(to: end)
  }

  /// The destination after the bracket at `close`: `(page.md)`, whose link is returned, or a defined label.
  private mutating func destination(of opening: Opening, closedAt close: Int) -> (link: String?, end: Int)? {
    if close + 1 < bytes.endIndex, bytes[close + 1] == UInt8(ascii: "("),
      let (link, end) = MarkdownDestination.inline(bytes, from: close + 1)
    {
      return (link, end)
    }
    let end = MarkdownDestination.label(bytes, from: close + 1)
    let label: ArraySlice<UInt8>
    if let end, end > close + 3 {
      label = bytes[close + 2..<end - 1]
    } else if !opening.hasInner {
      label = bytes[opening.start..<close]
    } else {
      return nil
    }
    guard let key = MarkdownDestination.key(of: label) else { return nil }
    if references.contains(key) { return (nil, end ?? close + 1) }
    // For a lone `[this]`, a definition would change nothing else.
    if text != nil || end != nil || !openings.isEmpty || found.count > opening.foundBefore {
      dependsOnDefinitions = true
    }
    return nil
  }
}

/// URLs and tags.
extension MarkdownInlines {
  /// Reads `<https://example.org>`, or a tag of HTML, which may have links and anchors.
  private mutating func readAngle() {
    let inside = bytes[(index + 1)...].prefix {
      $0 > 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
    }
    if inside.endIndex < bytes.endIndex, bytes[inside.endIndex] == UInt8(ascii: ">"), Self.hasScheme(inside) {
      text?.append(inside)
      found.append(Found(link: Link(text: String(decoding: inside, as: UTF8.self), line: line)))
      return advance(to: inside.endIndex + 1)
    }
    guard let end = tags.end(in: bytes, from: index) else { return advance(to: index + 1, showing: index...) }
    if ASCII.isLetter(bytes[index + 1]) {
      let document = Markup.html.document(of: Array(bytes[index..<end]))
      anchors.formUnion(document.anchors)
      for var link in document.links {
        link.line += line - 1
        found.append(Found(link: link, isHTML: true))
      }
    }
    advance(to: end)
  }

  /// Whether a text begins with a URL scheme of two letters or more.
  private static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
    let scheme = text.prefix(33).prefix { $0 != UInt8(ascii: ":") }
    guard (2...32).contains(scheme.count), scheme.count < text.count, let first = text.first else {
      return false
    }
    return ASCII.isLetter(first)
      && scheme.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// Reads `https://example.org` and `www.example.org`, as GitHub does.
  private mutating func readBareURL() {
    guard let url = bareURL() else {
      let end = bytes[(index + 1)...].firstIndex(where: Self.isMark) ?? bytes.endIndex
      return advance(to: end, showing: index...)
    }
    let link = MarkdownDestination.unescaped(url)
    let isNamed = bytes[index] | 0x20 == UInt8(ascii: "w")
    found.append(Found(link: Link(text: (isNamed ? "http://" : "") + link, line: line), isBare: true))
    text?.append(link)
    advance(to: url.endIndex)
  }

  private func bareURL() -> ArraySlice<UInt8>? {
    let before = index > bytes.startIndex ? bytes[index - 1] : 0x20
    let starts = bytes[index...].prefix(8).map(ASCII.lower)
    let start: Int
    if starts.starts(with: "www.".utf8) {
      guard ASCII.isSpace(before) || "*_~(".utf8.contains(before) else { return nil }
      start = index
    } else {
      guard !ASCII.isLetter(before),
        let length = ["http://", "https://"].first(where: { starts.starts(with: $0.utf8) })
      else { return nil }
      start = index + length.utf8.count
    }
    // A host has no more bytes than this, and its last two labels contain no underscore.
    var host = bytes[start...].prefix(256).prefix {
      $0 >= 0x80 || ASCII.isLetter($0) || ASCII.isDigit($0) || "-_.".utf8.contains($0)
    }
    while host.last == UInt8(ascii: ".") { host.removeLast() }
    let names = host.split(separator: UInt8(ascii: "."))
    guard (1..<256).contains(host.count), names.count >= (start == index ? 2 : 1),
      host.first != UInt8(ascii: "."),
      !names.suffix(2).contains(where: { $0.contains(UInt8(ascii: "_")) })
    else { return nil }
    // The bracket that closes a link's text is not part of a URL in that text.
    let end = bytes[host.endIndex...].firstIndex {
      $0 <= 0x20 || "<>\"`|".utf8.contains($0) || $0 == UInt8(ascii: "]") && !openings.isEmpty
    }
    return Self.withoutPunctuation(bytes[index..<(end ?? bytes.endIndex)])
  }

  /// Removes punctuation at the end, and closing brackets that are not opened in the URL.
  private static func withoutPunctuation(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var url = url
    var surplus = url.reduce(0) { $0 + ($1 == UInt8(ascii: ")") ? 1 : $1 == UInt8(ascii: "(") ? -1 : 0) }
    while let last = url.last {
      if last == UInt8(ascii: ";") {
        let name = url.dropLast().suffix(32).reversed().prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
        let isReference = !name.isEmpty && url.dropLast(name.count + 1).last == UInt8(ascii: "&")
        url.removeLast(isReference ? name.count + 2 : 1)
      } else if last == UInt8(ascii: ")") ? surplus > 0 : "?!.,:*_~'[]".utf8.contains(last) {
        if last == UInt8(ascii: ")") { surplus -= 1 }
        url.removeLast()
      } else {
        break
      }
    }
    return url
  }
}
