import Testing

@testable import LinkcheckReaders
@testable import linkcheck

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
