/// The links of a page, and the places in it that can be linked to.
struct Document: Codable, Equatable, Sendable {
  /// The links in the order of the page.
  var links: [Link] = []
  /// The names of the places in the page that a fragment can lead to.
  var anchors: Set<Fragment> = []
  /// The URL against which the page wants its links resolved, if not its own.
  var base: String?
  /// The symbols that an article of a DocC catalogue names, such as `Store` in ``` ``Store/send(_:)`` ```.
  var symbols: Set<String> = []

  mutating func note(_ link: String?, line: Int, use: Link.Use = .reference) {
    guard let link else { return }
    links.append(Link(text: link, line: line, use: use))
  }
}

/// One link as it stands on a page.
struct Link: Codable, Hashable, Sendable {
  enum Use: UInt8, Sendable, Codable {
    case reference
    /// The address to which a form is posted. It need not answer to anything else.
    case posting
  }

  /// The link as written, without escapes of HTML, Markdown or CSS.
  var text: String
  /// The line on which it begins, counted from 1.
  var line: Int
  var use = Use.reference
}
