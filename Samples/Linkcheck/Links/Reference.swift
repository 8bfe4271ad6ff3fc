/// The five parts of a URL or of a relative link, as RFC 3986 cuts them.
///
/// Links are cut and compared as bytes: a combining mark behind a slash makes no other character of the slash.
struct Reference {
  var scheme: String?
  var authority: Substring?
  var path: Substring
  var query: Substring?
  var fragment: Substring?

  /// Cuts a link. Every text has parts; whether they make sense is not checked.
  init(_ text: some StringProtocol) {
    var rest = Substring(text)
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[rest.utf8.index(after: hash)...]
      rest = rest[..<hash]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[rest.utf8.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = rest
  }

  /// Cuts a link as a page has it: without the tabs and newlines that browsers drop, and without space around it.
  init(link: String) {
    let isClean = link.utf8.allSatisfy { $0 > 0x20 }
    guard !isClean else {
      self.init(link)
      return
    }
    var bytes = link.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// The parts put together again.
  var text: String {
    var text = ""
    text.reserveCapacity(16 + (authority?.utf8.count ?? 0) + path.utf8.count + (query?.utf8.count ?? 0))
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// What this link means on the page at `base` (RFC 3986, 5.2.2).
  func resolved(against base: Reference) -> Reference {
    var target = self
    if scheme != nil {
      target.path = DotSegments.removed(from: path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = DotSegments.removed(from: path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.utf8.first == UInt8(ascii: "/") {
      target.path = DotSegments.removed(from: path)
    } else if base.path.isEmpty, base.authority != nil {
      target.path = DotSegments.removed(from: "/" + path)
    } else {
      target.path = DotSegments.removed(from: base.folder + path)
    }
    return target
  }

  /// The path up to its last slash.
  private var folder: Substring {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return path[...slash]
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
    return text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
  }
}
