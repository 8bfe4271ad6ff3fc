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
