import Testing

@testable import linkcheck

@Suite("Links in HTML")
struct HTMLScannerTests {
  private func links(_ html: String) -> [String] { HTMLScanner.document(of: html).links.map(\.text) }

  @Test(
    "links are found however they are written",
    arguments: [
      (#"<a href="a">"#, ["a"]),
      (#"<A HREF = 'a b' >"#, ["a b"]),
      ("<a href=a>", ["a"]),
      ("<a href=a/b/>", ["a/b/"]),
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
    ])
  func found(html: String, expected: [String]) {
    #expect(links(html) == expected)
  }

  @Test(
    "what is no markup has no links",
    arguments: [
      "<!-- <a href=a> -->", "<!-- > <a href=a> -->", "<script>'<a href=a>'</script>",
      "<style>/*<a href=a>*/</style>", "<textarea><a href=a></textarea>", "<title><a href=a></title>",
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
      let document = HTMLScanner.document(of: String(html.prefix(length)))
      #expect(document.links.count <= 3)
    }
    #expect(links(html) == ["a&b", "a", "b"])
  }

  @Test("anchors are the ids, and the names of old links")
  func anchors() {
    let document = HTMLScanner.document(of: "<h1 id=a><a name=b></a><p id='c &amp; d'><input name=e>")
    #expect(document.anchors == ["a", "b", "c & d"])
  }

  @Test("a link has the line on which its tag begins")
  func lines() {
    let html = "<p>\n<a href=a>\n\n<a\nhref=b>\n<!--\n-->\n<script>\n</script><a href=c>"
    #expect(HTMLScanner.document(of: html).links.map(\.line) == [2, 4, 9])
  }

  @Test("the first base counts")
  func base() {
    #expect(HTMLScanner.document(of: "<base href=/a/><base href=/b/>").base == "/a/")
    #expect(HTMLScanner.document(of: "<p>").base == nil)
  }
}
