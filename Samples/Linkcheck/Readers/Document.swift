/// The links of a page, and its anchors.
package struct Document: Codable, Equatable, Sendable {
  /// The links in the order of the page.
  package var links: [Link] = []
  /// The names of the places that a fragment can lead to.
  package var anchors: Set<Fragment> = []
  /// The base URL of the page's links, if the page names one.
  package var base: String?
  /// The symbols that an article of a DocC catalogue names, such as `Store` in ``` ``Store/send(_:)`` ```.
  package var symbols: Set<String> = []

  package init(
    links: [Link] = [], anchors: Set<Fragment> = [], base: String? = nil, symbols: Set<String> = []
  ) {
    (self.links, self.anchors, self.base, self.symbols) = (links, anchors, base, symbols)
  }

  mutating func note(_ link: String?, line: Int, use: Link.Use = .reference) {
    guard let link else { return }
    links.append(Link(text: link, line: line, use: use))
  }
}

/// One link of a page.
package struct Link: Codable, Hashable, Sendable {
  package enum Use: UInt8, Sendable, Codable {
    case reference
    /// The address to which a form is posted. It need not answer other methods.
    case posting
  }

  /// The link as written, without escapes of HTML, Markdown or CSS.
  package var text: String
  /// The line on which it begins, counted from 1.
  package var line: Int
  package var use = Use.reference

  package init(text: String, line: Int, use: Use = .reference) {
    (self.text, self.line, self.use) = (text, line, use)
  }
}
