import Foundation
import TestSupport
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("A page that is read in parts")
struct PartReaderTests {
  private static let pieces: [Markup: [String]] = [
    .html: [
      "<a href='x.html'>", "<a href=y#z class=\"c\">", "<a id=here name='there'>", "</a>", "text & more\n",
      "<!-- a <a href=no> -->", "<!-->", "<!--->", "<!-- <a href=open", "-->", "<!doctype html>", "<?xml?>",
      "<script>if (a < b) '<a href=no>'", "</script>",
      "<style>p { longRunning: url(i.png) }\n@import 'j.css';",
      "</style>", "<svg><use href='#s'/>", "</svg>", "<![CDATA[<a href=no>]]>", "<textarea><a href=no>",
      "</TEXTAREA >", "< a", "</ >", "<", "é漢🐟", "<img src=a.png srcset='b.png 1x, c.png 2x'>",
      "<base href=b/>",
      "<title>x</title>", "\"", "'", "<p style='longRunning: url(q.png)'>", "<a\nhref\n=\n'w'\n>",
    ],
    .css: [
      "p { longRunning: url(a.png) }\n", "@import 'b.css';\n", "@import url(\"c.css\");", "/* url(no) */",
      "/*",
      "*/", "\"a string\\\" url(no)\"", "'", "\n", "url(", ")", "url( 'd.png' )", "\\26 x",
      "@namespace url(no);",
      "q { }", "é", "}",
    ],
    .markdown: [
      "[a](x.md)\n\n", "# A heading\n\n", "## A heading\n", "text `code [no](n.md)`", "\n\n", "\n",
      "```\n[no](n.md)\n",
      "```\n", "<!-- [no](n.md)\n\n", " -->", "[name]: y.md\n", "- item\n\n    [in](list.md)\n\n",
      "    code\n\n",
      "<a id=here>", "<https://e.test/>", "![i](i.png)", "1. one\n", "> [q](q.md)\n", "é漢🐟 ", "---\n",
      "===\n",
      "<script>\n\n[no](n.md)\n\n</script>\n\n", "[open", "](z.md)",
    ],
  ]

  private func inParts(
    _ text: [UInt8], _ markup: Markup, _ encoding: TextEncoding = .utf8, _ size: () -> Int
  ) -> Document {
    var reader = PartReader(markup, encoding, isArticle: false)
    var rest = text[...]
    while !rest.isEmpty {
      let part = rest.prefix(size())
      reader.take(Array(part), isLast: false)
      rest = rest.dropFirst(part.count)
    }
    reader.take([], isLast: true)
    return reader.document
  }

  @Test(
    "whatever the parts, what is found is what is found in the whole",
    arguments: [Markup.html, .xhtml, .css, .markdown])
  func parts(markup: Markup) {
    let pieces = Self.pieces[markup == .xhtml ? .html : markup] ?? []
    for seed in 1...(markup == .markdown ? 600 : 400) as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let text = (0..<Int.random(in: 0...25, using: &random)).compactMap { _ in
        pieces.randomElement(using: &random)
      }
      .joined()
      let largest = [1, 3, 40].randomElement(using: &random) ?? 1
      let parts = inParts(Array(text.utf8), markup) { Int.random(in: 1...largest, using: &random) }
      #expect(parts == markup.document(of: Array(text.utf8)), "\(seed): \(text)")
    }
  }

  @Test("no more is kept than what is not complete")
  func kept() {
    var html = PartReader(.html, .utf8, isArticle: false)
    for opening in ["<script>", "<!--", "text"] {
      html.take(Array(opening.utf8), isLast: false)
      for _ in 1...10 { html.take([UInt8](repeating: UInt8(ascii: "x"), count: 10_000), isLast: false) }
      #expect(html.keptCount < 20)
      html.take(Array("--></script>".utf8), isLast: false)
    }
    html.take(Array("<a href='".utf8), isLast: false)
    html.take([UInt8](repeating: UInt8(ascii: "x"), count: 100_000), isLast: false)
    #expect(html.keptCount > 100_000)
    var markdown = PartReader(.markdown, .utf8, isArticle: false)
    for _ in 1...10 {
      markdown.take(Array(String(repeating: "A line.\n\n", count: 1_000).utf8), isLast: false)
    }
    #expect(markdown.keptCount < 20)
  }

  @Test("the characters of a part's end are read with the next, however they are written")
  func encodings() throws {
    let text = String(repeating: "<p>é漢🐟</p>\n", count: 50) + "<a href='é漢.html' id='🐟'>"
    let utf16 = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let latin = "<p>\u{E9}</p>\n<a href='\u{E9}.html'>"
    let japanese = try #require("<p>漢字</p>\n<a href='漢.html'>".data(using: .shiftJIS))
    let cases: [([UInt8], TextEncoding)] = [
      (Array(text.utf8), .utf8), (utf16, .utf16(isBigEndian: true)), (little, .utf16(isBigEndian: false)),
      (latin.unicodeScalars.map { UInt8($0.value) }, .windows1252),
      (Array(japanese), .other(String.Encoding.shiftJIS.rawValue)),
      ([UInt8(ascii: "<"), UInt8(ascii: "p"), UInt8(ascii: ">"), 0xE6, 0xBC], .utf8),
    ]
    for (bytes, encoding) in cases {
      for size in [1, 2, 3, 5, 7, 1000] {
        let document = inParts(bytes, .html, encoding) { size }
        #expect(document == Markup.html.document(of: encoding.utf8(bytes)), "\(encoding) \(size)")
      }
    }
  }

  // MARK: Files

  private func content(_ bytes: Data, _ name: String, largestPage: Int) throws -> FileContent {
    let folder = try TemporaryFolder()
    try bytes.write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    return FileContent(at: Address(file: Array("\(folder.path)/\(name)".utf8)), largestPage: largestPage)
  }

  @Test("a file that is larger than a page may be is read in parts, and says what it would say as a whole")
  func files() throws {
    let text = "<title>t</title>" + String(repeating: "<p>é <a href=x.html>x</a></p>\n", count: 100)
    var cases: [(Data, TextEncoding)] = [(Data(text.utf8), .utf8)]
    cases.append((Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), .utf8))
    cases.append((try #require(text.data(using: .isoLatin1)), .windows1252))
    cases.append(
      (Data([0xFE, 0xFF]) + (try #require(text.data(using: .utf16BigEndian))), .utf16(isBigEndian: true)))
    cases.append(
      (Data("<meta charset=latin1>".utf8) + (try #require(text.data(using: .isoLatin1))), .windows1252))
    for (bytes, encoding) in cases {
      let whole = Markup.html.document(of: PageText.utf8(of: bytes, charset: nil, markup: .html))
      for size in [40, 100, bytes.count - 1, bytes.count] {
        #expect(
          try content(bytes, "a.html", largestPage: size) == .page(.html, whole, size: bytes.count),
          "\(encoding) \(size)")
      }
    }
  }

  @Test("what has no room in one piece is not read, and what is no text is told")
  func refused() throws {
    let tag = Data("<a href='\(String(repeating: "x", count: 500))'>".utf8)
    #expect(try content(tag, "a.html", largestPage: 100) == .oversized(limit: 100))
    #expect(try content(tag, "a.html", largestPage: tag.count) != .oversized(limit: tag.count))
    let binary = Data("<p>".utf8) + Data(count: 500)
    #expect(try content(binary, "a.html", largestPage: 100) == .unreadable("not a text file"))
  }
}

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
