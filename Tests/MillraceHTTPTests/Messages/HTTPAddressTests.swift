import Testing

@testable import MillraceHTTP

@Suite struct HTTPAddressTests {
  @Test(
    "an address is sent as it should be",
    arguments: [
      ("http://example.org", "http://example.org/"), ("HTTP://Example.ORG/A", "http://example.org/A"),
      ("https://example.org:8443?q#f", "https://example.org:8443/?q"),
      ("http://[::1]:8080/a", "http://[::1]:8080/a"),
      ("http://[FE80::1%25eth0]/", "http://[fe80::1%25eth0]/"),
      ("http://user:secret@example.org/", "http://example.org/"),
      ("http://a@b@example.org/", "http://example.org/"), ("http://example.org:/", "http://example.org/"),
      ("http://example.org/a b\"<ü>", "http://example.org/a%20b%22%3C%C3%BC%3E"),
      ("http://example.org/%41%", "http://example.org/%41%"),
      ("http://bücher.de/", "http://xn--bcher-kva.de/"),
      ("http://example.org/\u{301}", "http://example.org/%CC%81"),
      ("http://example.org/a/../b/./c", "http://example.org/a/../b/./c"),
      ("http://example.org/a?b?c#d#e", "http://example.org/a?b?c"),
    ])
  func sent(text: String, sent: String) throws {
    #expect(try HTTPAddress(text).sent == sent)
  }

  @Test(
    "what is no address says why",
    arguments: [
      ("", .scheme), ("example.org", .scheme), ("ftp://example.org/", .scheme),
      ("http:/example.org", .scheme),
      ("http:example.org", .scheme), (" http://example.org", .scheme), ("http://", .host),
      ("http:///path", .host), ("http://:80/", .host), ("http://user@/", .host), ("http://a b/", .host),
      ("http://a\\b/", .host), ("http://a%41/", .host), ("http://[::1/", .host), ("http://[]/", .host),
      ("http://[1]/", .host), ("http://[::1]x/", .port), ("http://a:0/", .port), ("http://a:65536/", .port),
      ("http://a:99999999999999999999/", .port), ("http://a:-1/", .port), ("http://a:8o/", .port),
      ("http://a:80:80/", .port), ("http://a/\n", .character), ("http://a/\u{1B}", .character),
      ("http://a\0/", .character), ("http://a/\u{7F}", .character),
    ] as [(String, HTTPAddress.Problem)])
  func problems(text: String, problem: HTTPAddress.Problem) {
    #expect(throws: problem) { try HTTPAddress(text) }
  }

  @Test("a port of every size is one, up to the largest")
  func ports() throws {
    #expect(try HTTPAddress("http://a:65535/").origin.port == 65_535)
    #expect(try HTTPAddress("http://a:1/").origin.port == 1)
    #expect(try HTTPAddress("http://a/").origin.port == 80)
    #expect(try HTTPAddress("https://a/").origin.port == 443)
    #expect(try HTTPAddress("https://a:443/").origin == HTTPAddress("https://A/x").origin)
    #expect(try HTTPAddress("http://a:443/").origin != HTTPAddress("https://a/").origin)
  }

  @Test(
    "a reference is resolved as RFC 3986 says",
    arguments: [
      ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
      ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q#s"), ("g#s", "/b/c/g#s"), (";x", "/b/c/;x"), (".", "/b/c/"),
      ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../g", "/g"),
      ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), ("..g", "/b/c/..g"),
      ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g?y/../x", "/b/c/g?y/../x"),
      ("a:b/c", nil), ("//x/y", nil),
    ] as [(String, String?)])
  func references(reference: String, path: String?) throws {
    let base = try HTTPAddress("http://a/b/c/d;p?q")
    guard let path else {
      if reference.hasPrefix("//") { #expect(try base.resolving(reference).shown == "http://x/y") }
      if !reference.hasPrefix("//") {
        #expect(throws: HTTPAddress.Problem.scheme) { try base.resolving(reference) }
      }
      return
    }
    #expect(try base.resolving(reference).shown == "http://a" + path)
  }

  @Test("a reference keeps the fragment unless it has its own, and a mark after a slash stays apart from it")
  func fragments() throws {
    let base = try HTTPAddress("http://a/b#f")
    #expect(try base.resolving("c").shown == "http://a/c#f")
    #expect(try base.resolving("c#g").shown == "http://a/c#g")
    #expect(try base.resolving("/\u{301}x").sent == "http://a/%CC%81x")
  }

  @Test("credentials become a field, as they are when they are not escaped any more")
  func credentials() throws {
    #expect(
      try HTTPAddress("http://Aladdin:open%20sesame@a/").authorization == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    )
    #expect(try HTTPAddress("http://token@a/").authorization == "Basic dG9rZW46")
    #expect(try HTTPAddress("http://a:b:c@a/").authorization == "Basic YTpiOmM=")
    #expect(try HTTPAddress("http://a/").authorization == nil)
  }
}
