import LinkcheckReaders
import MillraceHTTP

/// A page that has been read: its links with what they mean, and the places in it that a link can lead to.
struct Page: Hashable, Sendable {
  /// A link of the page.
  struct Link: Hashable, Sendable {
    enum Target: Hashable, Sendable {
      /// The place in the page's `targets`.
      case address(Int)
      /// The name of an article that is in no DocC catalogue here; it may be that of a symbol.
      case unknownArticle
      /// A symbol in a DocC catalogue, of which nothing is known here.
      case symbol
      /// No URL at all.
      case invalid
    }

    /// The link as written on the page.
    var text: String
    /// The line, counted from 1.
    var line: Int
    var use = LinkcheckReaders.Link.Use.reference
    var target: Target

    /// The text behind the `#`, empty if there is none.
    var fragment: Substring { URLReference(link: text).fragment ?? "" }
    /// Whether it is written as DocC wants it, by an article's name.
    var isArticleLink: Bool { URLReference(link: text).scheme == "doc" }
  }

  var markup: Markup
  /// The bytes of the page.
  var size: Int
  /// The targets of the links, each address once.
  var targets: [Address] = []
  var links = PageLinks()
  var anchors: Set<Fragment> = []
  /// The symbols that it names, if it is an article of a DocC catalogue.
  var symbols: Set<String> = []

  /// Whether a link leads to a place in the page.
  func hasAnchor(for link: Link) -> Bool {
    let fragment = link.fragment
    // A fragment has no known meaning in a style sheet.
    if markup == .css || Fragment.isAlwaysThere(fragment) { return true }
    if link.isArticleLink {
      return anchors.contains(
        Fragment(ofArticleHeading: String(decoding: PercentEncoding.decoded(fragment), as: UTF8.self)))
    }
    return Fragment.readings(of: fragment).contains { anchors.contains($0) }
  }
}
