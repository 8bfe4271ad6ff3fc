import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("The anchors of headings")
struct HeadingSlugsTests {
  @Test(
    "a heading's anchor is the one GitHub gives it",
    arguments: [
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
    #expect(anchors == [Fragment(slug)], "\(anchors)")
  }

  @Test("headings that look the same and differ in their bytes are not numbered")
  func bytes() {
    var slugs = HeadingSlugs()
    #expect(slugs.anchor(of: "é") == "é")
    #expect(slugs.anchor(of: "e\u{301}") == "e\u{301}")
    #expect(slugs.anchor(of: "é") == "é-1")
  }
}
