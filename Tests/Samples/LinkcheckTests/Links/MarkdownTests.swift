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

@Suite("The blocks of Markdown")
struct MarkdownBlocksTests {
  @Test(
    "a fence ends with a fence, and with what it is in",
    arguments: [
      ("```\n    ```\n[no](a)\n```\n[b](c)", ["c"]), ("```\n> ```\n[no](a)\n```\n[b](c)", ["c"]),
      ("> ```\n[b](c)", ["c"]), ("- ```\n  [no](a)\n\n[b](c)", ["c"]),
      ("```\n~~~\n[no](a)\n```\n[b](c)", ["c"]),
      ("````\n```\n[no](a)\n````\n[b](c)", ["c"]), ("``` a`b\n[b](c)", ["c"]), ("```\n``` x\n[no](a)", []),
      ("   ```\n[no](a)\n   ```\n[b](c)", ["c"]), ("1. ```\n   [no](a)\n   ```\n   [b](c)", ["c"]),
    ])
  func fences(text: String, links: [String]) { #expect(found(text) == links) }

  @Test(
    "a definition is found wherever one may be",
    arguments: [
      ("[a]:\nb", ["b"]), ("[a]:\n  <b c>\n  'title'", ["b c"]), ("# H\n[a]: b", ["b"]),
      ("[a]: b\n[c]: d\ntext", ["b", "d"]),
      ("text\n[a]: b", []), ("- [a]: b", ["b"]), ("> [a]: b", ["b"]), ("[a\nb]: c", ["c"]),
      ("[a]: b 'c\nd'", ["b"]),
      ("[a]: b 'c\n\nd'", []), ("[a]: b \"c\" d", []), ("[a]: <>", [""]), ("[a]:\n\nb", []),
      ("[^a]: [b](c)", ["c"]),
      ("---\n[a]: b", ["b"]), ("[a]: b\n===", ["b"]),
    ])
  func definitions(text: String, links: [String]) { #expect(found(text) == links) }

  @Test(
    "a URL that begins with www is one",
    arguments: [
      ("see www.a.b/c.", ["http://www.a.b/c"]), ("(www.a.b)", ["http://www.a.b"]),
      ("www.a", ["http://www.a"]),
      ("xwww.a.b", []), ("www. a", []), ("[www.a.b](c)", ["c"]), ("`www.a.b`", []),
      ("WWW.A.B", ["http://WWW.A.B"]),
      ("http://a_b", []), ("http://{host}/", []), ("http://a.b/?c=d&amp;e", ["http://a.b/?c=d&e"]),
      ("http://a.b/&amp;.", ["http://a.b/"]), ("http://a.b/c)", ["http://a.b/c"]),
      ("http://a.b/(c))", ["http://a.b/(c)"]),
    ])
  func bareURLs(text: String, links: [String]) { #expect(found(text) == links) }

  @Test(
    "an anchor is what a reader sees of the heading",
    arguments: [
      ("## Plain<!-- omit in toc -->", ["plain"]), ("## Result<T, E> in tests", ["resultt-e-in-tests"]),
      ("## `Array<Int>` <b>x</b>", ["arrayint-x"]),
      ("# Unsafe[Mutable][Raw]Pointer", ["unsafemutablerawpointer"]),
      ("# Unsafe[Mutable][Raw]Pointer\n\n[raw]: x", ["unsafemutablepointer"]),
      ("- # A\n  ## B\n1. ### C", ["a", "b", "c"]),
      ("<h1 align=\"center\">My Project</h1>", ["my-project"]),
      ("<div>\n<h2>A &amp; <i>B</i></h2>\n</div>", ["a--b"]),
      ("<h1>\n\nIn *Markdown*\n\n</h1>", ["in-markdown"]),
      ("Foo\n===\n# Foo\n# Foo 1\n# Foo", ["foo", "foo-1", "foo-1-1", "foo-2"]),
      ("# a*b_c*d_", ["ab_cd_"]), ("# **a** __b__ _c_ d_e", ["a-b-c-d_e"]), ("# a\\_b", ["a_b"]),
      ("#\tTab", ["tab"]),
      ("Two\nlines\n---", ["twolines"]), ("# a #", ["a"]), ("# a \\#", ["a-"]), ("    # code", []),
      ("> # q", ["q"]),
    ])
  func anchors(text: String, anchors: [String]) {
    let found = Markup.markdown.document(of: text).anchors
    #expect(
      found.isSuperset(of: anchors.map { Fragment($0) }) && found.count <= anchors.count + 1, "\(found)")
  }

  @Test(
    "a link's text has no links, and its brackets are those of CommonMark",
    arguments: [
      ("[a [b](c) d](e)", ["c"]), ("![[a](b)](c)", ["c"]), ("[![a](b)](c)", ["b", "c"]), ("[a][b](c)", ["c"]),
      ("[a][b](c)\n\n[b]: d", ["d"]), ("[a](b (c) d)", []), ("[a](<b>c)", []), ("[a](b\n'c')", ["b"]),
      ("[a <b c=\"](d)\">", []), ("[a`](b)`", []), ("[a <xy:](b)>", ["xy:](b)"]), ("[a](b)c)", ["b"]),
      ("[a](b\\)c)", ["b)c"]),
      ("| `a | [b](c) |\n|--|--|\n| d | `e |", ["c"]), ("a | b\n-|-\n[c\\|d](e) | [f](g)", ["e", "g"]),
    ])
  func brackets(text: String, links: [String]) { #expect(found(text) == links) }

  private func found(_ text: String) -> [String] { Markup.markdown.document(of: text).links.map(\.text) }
}

@Suite("The anchors of headings")
struct HeadingSlugsTests {
  @Test(
    "a heading's anchor is the one GitHub gives it",
    arguments: [
      ("Hello, World!", "hello-world"), ("a  b", "a--b"), ("`store.scope(_:)`", "storescope_"),
      ("_Emphasis_ and snake_case", "emphasis-and-snake_case"), ("See [here](x.md)", "see-here"),
      ("![logo](a.png) Name", "-name"), ("🚀 Go", "-go"), ("Größe", "größe"), ("1.2.3 – x", "123--x"),
      ("a & b", "a--b"),
      ("<a name=\"x\"></a>Title", "title"), ("What's new?", "whats-new"),
      // Of the pages of Node.js, on which brackets in code were taken for links.
      ("`fs.open(path[, flags[, mode]], callback)`", "fsopenpath-flags-mode-callback"),
      ("`buf.fill(value[, offset[, end]][, encoding])`", "buffillvalue-offset-end-encoding"),
      ("`new Console(stdout[, stderr][, ignoreErrors])`", "new-consolestdout-stderr-ignoreerrors"),
      ("`process.stdin` & `[x](y)`", "processstdin--xy"),
      ("See [`a[b]`](c_(d).md) now", "see-ab-now"), ("[a [b] c](d)", "a-b-c"), ("[`a[`](b) c", "a-c"),
      ("[text][ref]", "textref"),
      ("[not closed", "not-closed"), ("![a](b) c", "-c"), ("a ![b", "a-b"),
      ("`` a`b ``", "ab"), ("`not closed", "not-closed"),
      ("__init__", "init"), ("__a__ b_c_d _e", "a-b_c_d-_e"), ("`__init__`", "__init__"), ("a_ b", "a_-b"),
      ("\\_a\\_", "_a_"), ("a \\< b", "a--b"), ("<https://a.b>", "httpsab"), ("a < b > c", "a--b--c"),
      ("Cafe\u{301}", "cafe\u{301}"), ("⚠️ Care", "️-care"), ("½ a", "-a"), ("A‿B", "a‿b"),
      ("&lt;b&gt; &amp", "b-amp"),
      ("हिन्दी", "हिन्दी"),
    ])
  func slugs(heading: String, slug: String) {
    let anchors = Markup.markdown.document(of: "# " + heading).anchors
    #expect(anchors.subtracting(["x"]) == [Fragment(slug)], "\(anchors)")  // the name within one of them
  }

  @Test("headings that look the same and differ in their bytes are not numbered")
  func bytes() {
    var slugs = HeadingSlugs()
    #expect(slugs.anchor(of: "é") == "é")
    #expect(slugs.anchor(of: "e\u{301}") == "e\u{301}")
    #expect(slugs.anchor(of: "é") == "é-1")
  }
}
