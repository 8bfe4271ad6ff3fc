import Testing

@testable import linkcheck

@Suite("Scopes")
struct ScopeTests {
  @Test("a site is its origin")
  func site() {
    let scope = Scope(site: "http://a/docs/")
    #expect(scope.contains("http://a/x") && !scope.isRemote("http://a/x"))
    #expect(!scope.contains("http://a:8080/x") && scope.isRemote("http://a:8080/x"))
    #expect(!scope.contains("https://a/x"))
    #expect(scope.target(of: "file:///etc/passwd", on: "http://a/x", base: nil) == .otherScheme)
  }

  @Test("a folder is the pages in it")
  func folder() {
    let scope = Scope(folder: "/a b")
    #expect(scope.contains(Address(file: "/a b/c/d.md")))
    #expect(!scope.contains(Address(file: "/a b/c.png")))
    #expect(!scope.contains(Address(file: "/a bc/d.md")))
    #expect(!scope.contains("http://a/x.md") && scope.isRemote("http://a/x.md"))
  }

  @Test("a path from the root means the folder's root, and on a site the site's")
  func roots() {
    let page = Address(file: "/d/a/b.md")
    #expect(
      Scope(folder: "/d").target(of: "/c.md#x", on: page, base: nil)
        == .address(Address(file: "/d/c.md"), fragment: "x"))
    #expect(
      Scope(file: "/d/a/b.md").target(of: "/c.md", on: page, base: nil)
        == .address(Address(file: "/c.md"), fragment: nil))
    #expect(
      Scope(site: "http://a/b/").target(of: "/c", on: "http://a/b/d", base: nil)
        == .address("http://a/c", fragment: nil))
  }

  @Test("a page's base counts, unless it is none")
  func bases() {
    let scope = Scope(site: "http://a/")
    #expect(scope.target(of: "c", on: "http://a/b/", base: "/x/") == .address("http://a/x/c", fragment: nil))
    #expect(
      scope.target(of: "c", on: "http://a/b/", base: "mailto:x") == .address("http://a/b/c", fragment: nil))
  }
}
