/// The markup language of a page.
package enum Markup: String, Sendable, Codable {
  case html
  /// HTML in the syntax of XML.
  case xhtml
  case markdown
  /// A style sheet, which has links but is no page.
  case css

  /// The markup for a file name's extension, in lower case and without the dot.
  package init?(fileExtension: String) {
    switch fileExtension {
    case "html", "htm": self = .html
    case "xhtml", "xht": self = .xhtml
    case "md", "markdown", "mdown", "mkd": self = .markdown
    case "css": self = .css
    default: return nil
    }
  }

  /// The markup for a `Content-Type` header.
  package init?(contentType: String) {
    switch contentType.prefix(while: { $0 != ";" }).lowercased().trimmed {
    case "text/html": self = .html
    case "application/xhtml+xml": self = .xhtml
    case "text/markdown": self = .markdown
    case "text/css": self = .css
    default: return nil
    }
  }

  /// Whether it is a page for people.
  package var isPage: Bool { self != .css }

  /// - Parameter isArticle: whether the page is in a DocC catalogue, where headings have other anchors.
  func scanner(isArticle: Bool) -> any PartScanner {
    switch self {
    case .html: HTMLScanner(isXML: false)
    case .xhtml: HTMLScanner(isXML: true)
    case .markdown: MarkdownScanner(isArticle: isArticle)
    case .css: StyleSheet.Scanner(line: 1)
    }
  }

  /// Reads a page, whose text is UTF-8.
  package func document(of text: [UInt8], isArticle: Bool = false) -> Document {
    scanner(isArticle: isArticle).document(of: text)
  }

  package func document(of text: String, isArticle: Bool = false) -> Document {
    document(of: Array(text.utf8), isArticle: isArticle)
  }
}
