import Foundation
import TestSupport
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

/// Shapes on which a search to the end for each mark takes hours: a reader that searches so does not end here.
@Suite("Pages that are made to be slow", .timeLimit(.minutes(10)))
struct LinearReadingTests {
  private static let scale = TestSize.isFull ? 1 : 5

  private static func times(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count / scale)
  }

  private static let markdown: [(String, String, links: Int)] = [
    ("brackets in a heading", "# " + times("[", 25_000) + "x" + times("]", 25_000), 0),
    ("spaces in a heading", "# a" + times(" ", 75_000) + "b", 0),
    ("dots behind a URL", "http://a" + times(".", 75_000), 1),
    ("empty links", times("[](", 25_000), 0),
    ("links in brackets", times("[a](", 12_000) + times(")", 12_000), 1),
    ("titles", times("[a](b \"c", 10_000), 0), ("comments", times("a <!--", 12_000), 0),
    ("instructions", times("a <?", 20_000), 0),
    ("declarations", times("a <!A", 15_000), 0), ("marked text", times("a <![CDATA[", 7_000), 0),
    ("tags", times("a <b c=\"", 10_000), 0), ("pointed brackets", times("<", 75_000), 0),
    ("schemes", times("<a:", 25_000), 0),
    ("back-ticks", times("`a``b", 15_000), 0),
    ("images", times("![", 12_000) + times("[a](b)", 7_000), 7_000),
    ("images in images", times("![", 10_000) + "x" + times("](y)", 10_000), 1),
    ("references", times("[a ", 12_000) + times("]][x]", 7_000), 0),
    ("names with underscores", times("www._", 15_000), 0),
    ("closing brackets", "http://a/" + times(")", 75_000), 1),
    ("references behind a URL", "http://a/" + times("&a;", 25_000), 1),
    ("URLs in brackets", "[" + times("http://a]", 7_000), 2),
    ("list items and blank lines", times("- ", 15_000) + "a" + times("\n", 37_000), 0),
    ("quotes and lazy lines", times("> ", 15_000) + "a\n" + times("b\n", 15_000), 0),
    ("definitions", times("[a]: b\n", 10_000), 10_000),
    ("definitions with open titles", times("[a]: b \"c\n", 7_000), 0),
    ("underscores", "# " + times("_a ", 15_000) + times("a_ ", 15_000), 0),
    ("stars", "# " + times("*a **a ", 10_000) + times(" a** a*", 10_000), 0),
    ("equal headings", times("# a\n", 7_000), 0), ("rows", "|a|\n|-|\n" + times("|c|\n", 10_000), 0),
    ("wide rows", times("|a", 15_000) + "|\n" + times("|-", 15_000) + "|\n", 0),
    ("front matter", "---\n" + times("a\n", 25_000), 0),
    ("names of headings", "# a" + times("{#", 25_000) + "}", 0),
    ("open headings", times("<h1>\n\na\n\n", 5_000), 0),
    ("ends of lines", times("\r", 50_000), 0), ("footnotes", times("[^a]: ", 12_000), 0),
  ]

  private static let html: [(String, String, links: Int)] = [
    ("spaces in a refresh", "<meta http-equiv=refresh content=\"" + times(" ", 50_000) + "x\">", 1),
    ("attributes", "<a " + times("b ", 25_000) + ">", 0), ("open tags", times("<a b=\"", 12_000), 0),
    ("comments", times("<!--", 20_000), 0), ("ends of scripts", "<script>" + times("</script", 10_000), 0),
    ("ends of styles", "<style>" + times("</style", 10_000), 0),
    ("candidates", "<img srcset=\"" + times("a, ", 15_000) + "\">", 15_000),
    ("references", "<a href=\"" + times("&", 50_000) + "\">", 1),
    ("style", "<p style=\"" + times("url(", 15_000) + "\">", 1),
  ]

  private static let css: [(String, String, links: Int)] = [
    ("URLs", times("url(", 20_000), 1), ("comments", times("/*", 37_000), 0),
    ("strings", times("\"\\\n", 20_000), 0),
  ]

  @Test("a page costs time in proportion to its length", arguments: [Markup.markdown, .html, .css])
  func whole(markup: Markup) {
    for (name, text, links) in markup == .markdown ? Self.markdown : markup == .html ? Self.html : Self.css {
      let found = markup.document(of: text).links.count
      #expect(found == (links > 2 ? links / Self.scale : links), "\(name)")
    }
  }

  @Test(
    "a page in small parts, of which none is complete, costs time in proportion",
    arguments: [
      (Markup.html, "<a b=\""), (.html, "<style>"), (.html, "<!--"), (.css, "/*"), (.css, "\""),
      (.markdown, "a"), (.markdown, "<div "),
    ])
  func parts(markup: Markup, opening: String) {
    for encoding in [TextEncoding.utf8, .other(String.Encoding.shiftJIS.rawValue)] {
      var reader = PartReader(markup, encoding, isArticle: false)
      reader.take(Array(opening.utf8), isLast: false)
      for _ in 1...5_000 { reader.take(Array("aaaaaaaaa ".utf8), isLast: false) }
      #expect(markup == .html && opening == "<!--" || reader.keptCount > 25_000)
      reader.take([], isLast: true)
    }
  }

  @Test("addresses of any length cost time in proportion to it")
  func addresses() {
    let base: Address = "http://a/b"
    for part in ["/", "../", "./", "%2e/", "%", "é", "@", ":", "[", "?", "a."] {
      for start in ["", "http://", "http://a/", "//", "file:///"] {
        _ = base.resolving(start + Self.times(part, 12_000))
      }
    }
  }

  @Test("a cancelled task reads no farther")
  func cancelled() async {
    let pages: [(Markup, String)] = [
      (.markdown, "[a](b)"), (.html, "<a href=a>"), (.css, "@import 'a';"),
    ]
    for (markup, text) in pages {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return markup.document(of: text).links.count
      }
      #expect(await task.value == 0)
    }
  }
}
