/// The five parts of a URL or of a relative link, as RFC 3986 splits them.
///
/// ```swift
/// let page = URLReference("https://example.org/docs/start?print")
/// let link = URLReference("../faq#cost").resolved(against: page)
/// ```
///
/// The link is `https://example.org/faq#cost`.
///
/// Parts are split and compared as bytes: a combining mark after a slash does not change the slash. Nothing is escaped,
/// decoded or checked, so every text has parts.
public struct URLReference: Sendable, CustomStringConvertible {
  /// The scheme in lower case, such as `https`; `nil` for a relative link.
  public var scheme: String?
  /// The text between `//` and the path: credentials, host and port; `nil` if there is no `//`.
  public var authority: Substring?
  /// The path. It may be empty.
  public var path: Substring
  /// The text after `?`; `nil` if there is none.
  public var query: Substring?
  /// The text after `#`; `nil` if there is none.
  public var fragment: Substring?

  /// Splits a text. O(length of the text)
  public init(_ text: some StringProtocol) {
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

  /// The text of the parts together. O(length of the parts)
  public var description: String {
    var text = ""
    text.reserveCapacity(16 + (authority?.utf8.count ?? 0) + path.utf8.count + (query?.utf8.count ?? 0))
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// Returns the URL of this link on a page at `base` (RFC 3986, section 5.2.2). O(length of both)
  public func resolved(against base: URLReference) -> URLReference {
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
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }
  }

  static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
}
