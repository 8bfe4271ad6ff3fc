/// The five parts of a URL or of a relative link, as RFC 3986 cuts them.
struct Reference: Hashable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  /// Cuts a link. Every text has parts; whether they make sense is not looked at.
  init(_ text: some StringProtocol) {
    var rest = Substring(text)
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// The parts put together again.
  var text: String {
    var text = ""
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
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.hasPrefix("/") {
      target.path = Self.removingDotSegments(path)
    } else if base.path.isEmpty, base.authority != nil {
      target.path = Self.removingDotSegments("/" + path)
    } else {
      let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? ""
      target.path = Self.removingDotSegments(folder + path)
    }
    return target
  }

  /// RFC 3986, 5.2.4: `/a/b/../c/./d` becomes `/a/c/d`.
  static func removingDotSegments(_ path: String) -> String {
    guard path.contains(".") else { return path }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { kept.append("") }
      case "..":
        // The empty segment before a leading slash is the root, which has no parent.
        if kept.count > (segments[0].isEmpty ? 1 : 0) { kept.removeLast() }
        if isLast { kept.append("") }
      default:
        kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.".utf8.contains($0)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
