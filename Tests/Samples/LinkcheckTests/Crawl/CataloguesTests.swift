import Foundation
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

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
