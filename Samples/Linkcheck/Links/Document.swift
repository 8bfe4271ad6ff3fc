/// What a page says about links: where it leads, and which places in it can be linked to.
struct Document: Hashable, Sendable, Codable {
  /// The links in the order of the page.
  var links: [Link] = []
  /// The names of the places in the page that a fragment can lead to.
  var anchors: Set<String> = []
  /// The URL against which the page wants its links resolved, if not its own.
  var base: String?

  /// Whether a link with this fragment leads to a place in the page.
  func hasAnchor(_ fragment: String) -> Bool {
    // The empty fragment and `top` are the top of every page; `:~:` searches for text in it.
    if fragment.isEmpty || fragment.lowercased() == "top" || fragment.hasPrefix(":~:") { return true }
    return anchors.contains(fragment) || anchors.contains(PercentEncoding.decoded(fragment))
  }
}

/// One link as it stands on a page.
struct Link: Hashable, Sendable, Codable {
  /// What is written, without escapes of HTML or Markdown.
  var text: String
  /// The line on which it begins, counted from 1.
  var line: Int
}

/// How a page is written.
enum Markup: String, Sendable, Codable {
  case html
  case markdown

  /// By a file name's ending, in lower case and without the dot.
  init?(fileExtension: String) {
    switch fileExtension {
    case "html", "htm", "xhtml": self = .html
    case "md", "markdown", "mdown", "mkd": self = .markdown
    default: return nil
    }
  }

  /// By a `Content-Type` header.
  init?(contentType: String) {
    switch contentType.prefix(while: { $0 != ";" }).lowercased().trimmed {
    case "text/html", "application/xhtml+xml": self = .html
    case "text/markdown": self = .markdown
    default: return nil
    }
  }

  /// Reads a page.
  func document(of text: String) -> Document {
    switch self {
    case .html: HTMLScanner.document(of: text)
    case .markdown: MarkdownScanner.document(of: text)
    }
  }
}
