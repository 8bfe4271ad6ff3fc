import Testing

@testable import LinkcheckReaders
@testable import linkcheck

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
  private func target(of link: String, on page: Address, base: String? = nil, in scope: Scope) -> Address? {
    let document = Document(links: [Link(text: link, line: 1)], base: base)
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

  @Test("a page's base counts, unless it is none")
  func bases() {
    let scope = Scope(site: "http://a/")
    #expect(target(of: "c", on: "http://a/b/", base: "/x/", in: scope) == "http://a/x/c")
    #expect(target(of: "c", on: "http://a/b/", base: "mailto:x", in: scope) == "http://a/b/c")
  }
}
