import Foundation
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("The links of a page")
struct PageLinksTests {
  private let links: [Page.Link] = [
    Page.Link(text: "", line: 1, target: .address(0)), Page.Link(text: "a", line: 1, target: .invalid),
    Page.Link(text: String(repeating: "é", count: 300), line: 5, use: .posting, target: .address(1)),
    Page.Link(text: "doc:x", line: 70_000, target: .unknownArticle),
    Page.Link(text: "doc:y", line: 70_000, use: .posting, target: .symbol),
    Page.Link(text: "b\n", line: 70_128, target: .address(100_000)),
  ]

  @Test("packed links come back as they were")
  func packing() {
    var packed = PageLinks()
    for link in links { packed.append(link) }
    #expect(Array(packed) == links)
    #expect(PageLinks(bytes: packed.bytes, targetCount: 100_001) == packed)
  }

  @Test("bytes that are no links, or links to no target, are refused wherever they are cut or changed")
  func damage() {
    var packed = PageLinks()
    for link in links { packed.append(link) }
    #expect(PageLinks(bytes: packed.bytes, targetCount: 100_000) == nil)
    var ends: Set<Int> = [0]
    var prefix = PageLinks()
    for link in links {
      prefix.append(link)
      ends.insert(prefix.bytes.count)
    }
    for length in 0...packed.bytes.count {
      let cut = PageLinks(bytes: Array(packed.bytes.prefix(length)), targetCount: 100_001)
      #expect((cut != nil) == ends.contains(length), "\(length)")
    }
    #expect(PageLinks(bytes: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], targetCount: 1) == nil)
    #expect(PageLinks(bytes: [0, 0, 200], targetCount: 1) == nil)
  }

  @Test("what a link means is found once, and each address is named once")
  func resolving() {
    let page = Page.html(
      "<base href=/x/><a href=a><a href=./a#b><a href=mailto:c><a href='http://'>", at: "http://h/")
    #expect(page.targets == ["http://h/x/a"])
    #expect(page.links.map(\.target) == [.address(0), .address(0), .invalid])
    #expect(page.links.map(\.fragment) == ["", "b", ""])
  }
}

@Suite("Scopes")
struct ScopeTests {
  @Test("a site is its origin")
  func site() {
    let scope = Scope(site: "http://a/docs/")
    #expect(scope.contains("http://a/x") && !scope.isRemote("http://a/x"))
    #expect(!scope.contains("http://a:8080/x") && scope.isRemote("http://a:8080/x"))
    #expect(!scope.contains("https://a/x"))
  }

  @Test("a folder is the pages in it")
  func folder() {
    let scope = Scope(folder: "/a b")
    #expect(scope.contains(Address(file: "/a b/c/d.md")))
    #expect(!scope.contains(Address(file: "/a b/c.png")))
    #expect(!scope.contains(Address(file: "/a bc/d.md")))
    #expect(!scope.contains("http://a/x.md") && scope.isRemote("http://a/x.md"))
  }

  /// What a link on a page means.
  private func target(of link: String, on page: Address, in scope: Scope) -> Address? {
    let document = Document(links: [Link(text: link, line: 1)])
    let page = LinkResolver(scope: scope).page(of: document, markup: .html, size: 0, at: page)
    return page.targets.first
  }

  @Test("a web page cannot lead to a file of the reader's machine, another file can")
  func files() {
    #expect(target(of: "file:///etc/passwd", on: "http://a/x", in: Scope(site: "http://a/")) == nil)
    #expect(target(of: "file:///x", on: "file:///d/a.md", in: Scope(folder: "/d")) == "file:///x")
  }

  @Test("a path from the root means the folder's root, and on a site the site's")
  func roots() {
    let page = Address(file: "/d/a/b.md")
    #expect(target(of: "/c.md#x", on: page, in: Scope(folder: "/d")) == Address(file: "/d/c.md"))
    #expect(target(of: "/c.md", on: page, in: Scope(file: "/d/a/b.md")) == Address(file: "/c.md"))
    #expect(target(of: "/c", on: "http://a/b/d", in: Scope(site: "http://a/b/")) == "http://a/c")
    // Browsers take a backslash for a slash.
    #expect(target(of: "\\c.md", on: page, in: Scope(folder: "/d")) == Address(file: "/d/c.md"))
    #expect(target(of: "\\", on: page, in: Scope(folder: "/d")) == Address(file: "/d/"))
    #expect(target(of: "\\c", on: "http://a/b/d", in: Scope(site: "http://a/b/")) == "http://a/c")
    // A combining mark behind the slash makes no other character of it.
    #expect(
      target(of: "/\u{301}c.md", on: page, in: Scope(folder: "/d")) == Address(file: "/d/\u{301}c.md"))
  }
}

@Suite("Links in a DocC catalogue")
struct CataloguesTests {
  private let page: Address = "file:///d/Mill.docc/First.md"

  private var crawl: Crawl.State {
    let texts = [
      page: """
      # First
      <doc:Second> <doc:Second#Part-one> <doc:Second#nowhere> <doc:Secnod> [x](doc:Mill/Second)
      <doc:/documentation/Mill/Second> <doc:Wheel/Third> <doc:Store> <doc:Other/send(_:)> <doc:#First>
      <doc:Tutorial-One> <doc:Mill> <doc://org.example/documentation/X> ``Store/send(_:)``
      <doc:second>
      """,
      "file:///d/Mill.docc/Second.md": "# Second\n## Part *one*?\n",
      "file:///d/Wheel.docc/deep/Third.md": "<doc:Second>",
      "file:///d/plain.md": "<doc:Second>",
    ]
    var state = Crawl.State(scope: Scope(folder: "/d"))
    Crawl.reduce(&state, .began(knowing: [:]))
    let contents = FolderContents(
      pages: Array(texts.keys), tutorials: ["file:///d/Mill.docc/Tutorial%20One.tutorial"])
    Crawl.reduce(&state, .listed(.found(contents)))
    while let file = state.files.min(by: { $0.address < $1.address }) {
      guard let text = texts[file.address] else {
        Crawl.reduce(&state, .fileRead(file.address, .other))
        continue
      }
      Crawl.reduce(&state, .fileRead(file.address, .markdown(text, isArticle: true)))
      for body in state.pages { Crawl.reduce(&state, .parsed(body.address, body.page())) }
    }
    return state
  }

  @Test("articles are found by their names, names of symbols are left alone, and what is neither is broken")
  func articles() {
    let report = Report(of: crawl, target: "d", name: { String($0.path) })
    #expect(
      report.broken.map { "\($0.page) \($0.link): \($0.message)" } == [
        "/d/Mill.docc/First.md doc:Second#nowhere: no #nowhere on the page",
        "/d/Mill.docc/First.md doc:Secnod: no such article in the catalogue",
        "/d/Mill.docc/First.md doc:second: no such article in the catalogue",
        "/d/Wheel.docc/deep/Third.md doc:Second: no such article in the catalogue",
      ])
    // Of these four, `Store` is a name in the catalogue's prose, and `Mill` that of the module.
    #expect(report.skipped == 4)
    #expect(report.links == 11)
    #expect(report.pages == 4)
  }

  @Test("a heading's anchor is the same in either form, and other words have another")
  func headings() {
    #expect(
      Fragment(ofArticleHeading: "What's  new – in 1.2?") == Fragment(ofArticleHeading: "Whats-new-in-12"))
    #expect(Fragment(ofArticleHeading: "a b") != Fragment(ofArticleHeading: "ab"))
    #expect(Fragment(ofArticleHeading: "a b") != Fragment(ofArticleHeading: "A b"))
    #expect(Fragment(ofArticleHeading: "a") != Fragment("a"))
  }

  @Test("in a single file, names of articles cannot be looked up")
  func singleFile() {
    let resolver = LinkResolver(scope: Scope(file: "/d/Mill.docc/First.md"))
    let document = Markup.markdown.document(of: "<doc:Second> <doc:#First>")
    let links = resolver.page(of: document, markup: .markdown, size: 0, at: page).links
    #expect(links.map(\.target) == [.symbol, .symbol])
  }
}
