import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("Links in Markdown")
struct MarkdownScannerTests {
  private func links(_ text: String) -> [String] { Markup.markdown.document(of: text).links.map(\.text) }

  @Test(
    "links are found however they are written",
    arguments: [
      ("[a](b.md)", ["b.md"]),
      ("[a]( b.md 'title' )", ["b.md"]),
      ("[a](b.md \"a \\\" ) title\")", ["b.md"]),
      ("[a](<b c.md>)", ["b c.md"]),
      ("[a](b_(c).md)", ["b_(c).md"]),
      ("[a](b\\)c)", ["b)c"]),
      ("[a]()", [""]),
      ("[a](b&amp;c)", ["b&c"]),
      ("![a](b.png)", ["b.png"]),
      ("[![a](b.png)](c.md)", ["b.png", "c.md"]),
      ("[a [b] c](d)", ["d"]),
      ("[a\nb](c)", ["c"]),
      ("[a]: b.md", ["b.md"]),
      ("[a]: <b c.md> 'title'", ["b c.md"]),
      ("[a]: b\n[c]: d", ["b", "d"]),
      ("see [a][b]\n\n[b]: c", ["c"]),
      ("<https://a.b/c>", ["https://a.b/c"]),
      ("at https://a.b/c.", ["https://a.b/c"]),
      ("(https://a.b/c_(d))", ["https://a.b/c_(d)"]),
      ("[https://a.b](c)", ["c"]),
      ("*https://a.b*", ["https://a.b"]),
      ("a <a href='b'>c</a> <img src=d>", ["b", "d"]),
      ("> [a](b)\n> - [c](d)", ["b", "d"]),
      ("- a\n\n    [b](c)", ["c"]),
      ("| [a](b) | [c](d) |", ["b", "d"]),
      ("a\n    [b](c)", ["c"]),
      ("`a` [b](c) `d`", ["c"]),
      ("\\`[b](c)\\`", ["c"]),
      ("``a`b`` [c](d)", ["d"]),
    ])
  func found(text: String, expected: [String]) {
    #expect(links(text) == expected)
  }

  @Test(
    "what is no link is not taken for one",
    arguments: [
      "`[a](b)`", "``[a](`b)``", "```\n[a](b)\n```", "~~~ md\n[a](b)\n```\n~~~", "- ```\n  [a](b)\n  ```",
      "```\n[a](b)", "    [a](b)", "a\n\n    [a](b)\n    [c](d)", "\\[a](b)", "[a\n\nb](c)",
      "<!-- [a](b) -->",
      "<!--\n[a](b)\n-->", "[a] (b)", "[a](b c)", "[^1]: note", "---\na: '[b](c)'\n---\n", "[a][b]",
      "[x] task",
      "<a title='[a](b)'>", "xhttps://a.b", "http://",
    ])
  func ignored(text: String) {
    #expect(links(text) == [])
  }

  @Test("a link has the line on which it begins, in the order of the page")
  func lines() {
    let text = "---\na: b\n---\n# A\n[a](1)\n```\n\n```\n[b\nc](2) <a href=3>\n\n[d]: 4\r\n<https://5.5>"
    let links = Markup.markdown.document(of: text).links
    #expect(links.map(\.line) == [5, 9, 10, 12, 13])
    #expect(links.map(\.text) == ["1", "2", "3", "4", "https://5.5"])
  }

  @Test("headings of every kind are anchors")
  func anchors() {
    let text = """
      # First *part*
      Second part
      -----------
      Third
      =====
      ### Closed ###
      ## C# and `code_x` ##
      > ## Quoted
      ## Own {#own-name}
      ## Twice
      ## Twice
      - item
      -----
      #no heading
      <h4 id="raw"></h4><a name="old"></a>
      ```
      # in code
      ```
      """
    #expect(
      Markup.markdown.document(of: text).anchors == [
        "first-part", "second-part", "third", "closed", "c-and-code_x", "quoted", "own", "own-name", "twice",
        "twice-1", "raw", "old",
      ])
  }

  @Test(
    "a heading's anchor is the one GitHub gives it",
    arguments: [
      ("Hello, World!", "hello-world"), ("a  b", "a--b"), ("`store.scope(_:)`", "storescope_"),
      ("_Emphasis_ and snake_case", "emphasis-and-snake_case"), ("See [here](x.md)", "see-here"),
      ("![logo](a.png) Name", "-name"), ("🚀 Go", "-go"), ("Größe", "größe"), ("1.2.3 – x", "123--x"),
      ("a & b", "a--b"),
      ("<a name=\"x\"></a>Title", "title"), ("What's new?", "whats-new"),
    ])
  func slugs(heading: String, slug: String) {
    #expect(Markup.markdown.document(of: "# " + heading).anchors.contains(Fragment(slug)))
  }

  @Test("a text cut anywhere is read to its end")
  func cuts() {
    let text = "---\na\n---\n# A `b`\n[a](<b> 'c') ![d](e) <!-- f -->\n```\ng\n```\n[h]: i\n<a href='j'>\n"
    for length in 0...text.count { #expect(links(String(text.prefix(length))).count <= 5) }
  }
}

@Suite("Documents")
struct DocumentTests {
  @Test("the top of a page can always be linked to, and searches for text are not judged")
  func specialFragments() {
    let page = Page(markup: .html, size: 0, anchors: ["a b", "é", "%41"])
    func has(_ fragment: String) -> Bool {
      page.hasAnchor(for: Page.Link(text: "x#" + fragment, line: 1, target: .invalid))
    }
    for fragment in ["", "top", "TOP", ":~:text=x", "a%20b", "a b", "%C3%A9", "é", "%41"] {
      #expect(has(fragment), "\(fragment)")
    }
    // Names are bytes: an e with an accent behind it is another name than é.
    for fragment in ["a", "A B", "e", "e\u{301}", "e%CC%81", "A"] { #expect(!has(fragment), "\(fragment)") }
  }

  @Test("the type of a page is read from its name or its header")
  func markup() {
    #expect(Markup(contentType: "Text/HTML; charset=utf-8") == .html)
    #expect(Markup(contentType: "text/markdown") == .markdown)
    #expect(Markup(contentType: "text/plain") == nil)
    #expect(Markup(contentType: "") == nil)
    #expect(Markup(fileExtension: "md") == .markdown)
    #expect(Markup(fileExtension: "htm") == .html)
    #expect(Markup(fileExtension: "png") == nil)
  }
}
