/// Reads a page of any size, of which one part comes after the other.
package struct PartReader {
  private enum Scanner {
    case html(HTMLScanner)
    case markdown(MarkdownScanner)
    case css(StyleSheet.Scanner)
  }

  private let encoding: TextEncoding
  private var scanner: Scanner
  /// The bytes that were not read yet.
  private var rest: [UInt8] = []
  /// How many of them are read at once: what is not complete is read again only when it has doubled, so that all of a
  /// page costs time in proportion to it.
  private var enough = 0

  package init(_ markup: Markup, _ encoding: TextEncoding, isArticle: Bool) {
    self.encoding = encoding
    scanner =
      switch markup {
      case .html: .html(HTMLScanner(isXML: false))
      case .xhtml: .html(HTMLScanner(isXML: true))
      case .markdown: .markdown(MarkdownScanner(isArticle: isArticle))
      case .css: .css(StyleSheet.Scanner(line: 1))
      }
  }

  /// Takes the next part.
  package mutating func take(_ part: [UInt8], isLast: Bool) {
    rest += part
    guard isLast || rest.count >= enough else { return }
    let count = isLast ? rest.count : encoding.wholeCount(of: rest)
    let text = encoding.utf8(Array(rest[..<count]))
    rest.removeFirst(count)
    defer { enough = rest.count + keptCount }
    switch scanner {
    case .html(var html):
      scanner = .css(StyleSheet.Scanner(line: 1))  // so that the other is not shared, and changed in place
      html.scan(text, isLast: isLast)
      scanner = .html(html)
    case .markdown(var markdown):
      scanner = .css(StyleSheet.Scanner(line: 1))
      markdown.scan(text, isLast: isLast)
      scanner = .markdown(markdown)
    case .css(var css):
      scanner = .css(StyleSheet.Scanner(line: 1))
      css.scan(text[...], isLast: isLast)
      scanner = .css(css)
    }
  }

  /// How many bytes are kept, since what they begin is not complete.
  package var keptCount: Int {
    switch scanner {
    case .html(let html): rest.count + html.keptCount
    case .markdown(let markdown): rest.count + markdown.keptCount
    case .css(let css): rest.count + css.keptCount
    }
  }

  /// The links and anchors found so far.
  package var document: Document {
    switch scanner {
    case .html(let html): html.document
    case .markdown(let markdown): markdown.document
    case .css(let css): Document(links: css.links)
    }
  }
}
