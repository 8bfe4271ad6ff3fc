import LinkcheckReaders
import MillraceHTTP

/// A page that has been read: its resolved links, and the anchors in it that a link can lead to.
struct Page: Hashable, Sendable {
  /// A link of the page.
  struct Link: Hashable, Sendable {
    enum Target: Hashable, Sendable {
      /// The index of the target in the page's `targets`.
      case address(Int)
      /// The name of an article that is in none of the DocC catalogues; it may be the name of a symbol.
      case unknownArticle
      /// A symbol in a DocC catalogue, which cannot be checked.
      case symbol
      /// Not a URL.
      case invalid
    }

    /// The link as written on the page.
    var text: String
    /// The line, counted from 1.
    var line: Int
    var use = LinkcheckReaders.Link.Use.reference
    var target: Target

    /// The text after the `#`; empty if there is none.
    var fragment: Substring { URLReference(link: text).fragment ?? "" }
    /// Whether the link is a DocC link by an article's name.
    var isArticleLink: Bool { URLReference(link: text).scheme == "doc" }
  }

  var markup: Markup
  /// The size of the page in bytes.
  var size: Int
  /// The targets of the links, each address once.
  var targets: [Address] = []
  var links = PageLinks()
  var anchors: Set<Fragment> = []
  /// The symbols named by an article of a DocC catalogue.
  var symbols: Set<String> = []

  /// Whether the page has the anchor of a link to it.
  func hasAnchor(for link: Link) -> Bool {
    let fragment = link.fragment
    // A fragment has no meaning in a style sheet.
    if markup == .css || Fragment.isAlwaysThere(fragment) { return true }
    if link.isArticleLink {
      return anchors.contains(
        Fragment(ofArticleHeading: String(decoding: PercentEncoding.decoded(fragment), as: UTF8.self)))
    }
    return Fragment.readings(of: fragment).contains { anchors.contains($0) }
  }
}
