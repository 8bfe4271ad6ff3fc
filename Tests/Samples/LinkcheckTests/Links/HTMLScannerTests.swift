import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("Links in HTML")
struct HTMLScannerTests {
  private func links(_ html: String) -> [String] { Markup.html.document(of: html).links.map(\.text) }

  @Test(
    "links are found however they are written",
    arguments: [
      (#"<a href="a">"#, ["a"]),
      (#"<A HREF = 'a b' >"#, ["a b"]),
      ("<a href=a>", ["a"]),
      ("<a href=a/b/>", ["a/b/"]), ("<a href=a\u{0B}b>", ["a\u{0B}b"]),
      ("<a\n  class=x\n  href=a>", ["a"]),
      (#"<a title="x > y" href="a">"#, ["a"]),
      (#"<a href="?a=1&amp;b=2&copy=3">"#, ["?a=1&b=2&copy=3"]),
      (#"<a href="&#x61;&#98;">"#, ["ab"]),
      (#"<a href="first" href="second">"#, ["first"]),
      (#"<a href="">"#, [""]),
      (#"<img src=a.png srcset="b.png 1x, c,d.png 2x,">"#, ["a.png", "b.png", "c,d.png"]),
      (#"<video src=a poster=b><source src=c><track src=d></video>"#, ["a", "b", "c", "d"]),
      (#"<link rel=stylesheet href=a><link rel="preconnect" href=b>"#, ["a"]),
      (#"<object data=a></object><iframe src=b></iframe><area href=c>"#, ["a", "b", "c"]),
      (#"<script src=a>"<a href=b>"</script><a href=c>"#, ["a", "c"]),
      ("<frameset><frame src=a longdesc=b></frameset>", ["a", "b"]),
      ("<form action=a><form action='b' method=post><form action=''><form>", ["a", "b"]),
      ("<button formaction=a></button><input formaction=b><form action=c method=dialog>", ["a", "b"]),
      (
        "<meta http-equiv=Refresh content='5; URL=a'><meta http-equiv=refresh content=\"0;url='b c' d\">",
        ["a", "b c"]
      ),
      ("<meta http-equiv=refresh content=9><meta name=url content='0;url=a'>", []),
      ("<link rel=preload as=image imagesrcset='a 1x, b 2x'>", ["a", "b"]),
      (
        "<svg><a xlink:href=a><use href='b#i' /><image xlink:href=c /><title><a href=d></svg>",
        ["a", "b#i", "c"]
      ),
      ("<svg><script href=a /></svg><a href=b>", ["a", "b"]),
      ("<use href=a><image href=b>", []),
      ("<style>p { longRunning: url(a) } @import 'b'; @import url(\"c\");</style>", ["a", "b", "c"]),
      ("<p style=\"longRunning: url('a b'), url(&quot;c&quot;)\">", ["a b", "c"]),
      ("<style>@namespace url(x); /* url(x) */ p { fill: url(#x); content: 'url(x)' }</style>", []),
      ("<style>p { src: url( a\\)\\26 b ) }</style>", ["a)&b"]),
      ("<body background=a><blockquote cite=b>", ["a", "b"]),
      ("<!--><a href=a>", ["a"]), ("<!---><a href=a>", ["a"]), ("<!-- --!><a href=a>", ["a"]),
      ("<!-- - -- --> <a href=a>", ["a"]), ("</ x><a href=a>", ["a"]), ("</a href=b><a href=a>", ["a"]),
      (#"<a href="&sect;ion&nbsp;&CounterClockwiseContourIntegral;">"#, ["§ion\u{A0}∳"]),
      (#"<a href="&lt&gt;&ltx&#x80;&#0;&#x110000;&unknown;">"#, ["<>&ltx€\u{FFFD}\u{FFFD}&unknown;"]),
      ("<a href=\"\u{301}a\">", ["\u{301}a"]),
    ])
  func found(html: String, expected: [String]) {
    #expect(links(html) == expected)
  }

  @Test(
    "what is no markup has no links",
    arguments: [
      "<!-- <a href=a> -->", "<!-- > <a href=a> -->", "<script>'<a href=a>'</script>",
      "<style>/*<a href=a>*/</style>", "<iframe><a href=a></iframe>",
      "<script>'</scripty>'<a href=a></script>", "<!-- --> <!-- <a href=a>",
      "<![CDATA[<a href=a>]]", "<textarea><a href=a></textarea>", "<title><a href=a></title>",
      "a < b href=c", "</a href=a>", "<a data-href=a>", "<!doctype html href=a>", "<", "<a", "<a href",
      "<a href=",
      "<!--", "<script>", "<p>&lt;a href=a&gt;",
    ])
  func ignored(html: String) {
    #expect(links(html).filter { !$0.isEmpty } == [])
  }

  @Test("a text cut anywhere is read to its end")
  func cuts() {
    let html =
      "<!doctype html><!-- c --><script>x</script><a href=\"a&amp;b\" id='i'>t</a><img srcset='a 1x, b'>"
    for length in 0...html.count {
      let document = Markup.html.document(of: String(html.prefix(length)))
      #expect(document.links.count <= 3)
    }
    #expect(links(html) == ["a&b", "a", "b"])
  }

  @Test("anchors are the ids, and the names of old links")
  func anchors() {
    let document = Markup.html.document(of: "<h1 id=a><a name=b></a><p id='c &amp; d'><input name=e>")
    #expect(document.anchors == ["a", "b", "c & d"])
  }

  @Test("a link has the line on which its tag begins")
  func lines() {
    let html = "<p>\n<a href=a>\n\n<a\nhref=b>\n<!--\n-->\n<script>\n</script><a href=c>"
    #expect(Markup.html.document(of: html).links.map(\.line) == [2, 4, 9])
  }

  @Test("in the syntax of XML, elements may be empty, and text may be marked as such")
  func xml() {
    let html = "<script src=a /><title/><a href=b /><![CDATA[<a href=c>]]><a href=d>"
    #expect(Markup.xhtml.document(of: html).links.map(\.text) == ["a", "b", "d"])
    #expect(Markup.html.document(of: html).links.map(\.text) == ["a"])
  }

  @Test("a form that is posted need not answer to anything else")
  func posting() {
    let html = "<form action=a method=POST><form action=b method=get><form action=c><button formaction=d>"
    #expect(Markup.html.document(of: html).links.map(\.use) == [.posting, .reference, .reference, .posting])
  }

  @Test("the first base counts")
  func base() {
    #expect(Markup.html.document(of: "<base href=/a/><base href=/b/>").base == "/a/")
    #expect(Markup.html.document(of: "<p>").base == nil)
  }
}
