import Foundation
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
      ("http://example.org/a/../b/./c", "http://example.org/b/c"),
      ("http://example.org/a/%2E./b/%2e?../c", "http://example.org/b/?../c"),
      ("http://example.org/..", "http://example.org/"),
      ("http://example.org/../../a", "http://example.org/a"),
      ("http://example.org/a//../b", "http://example.org/a/b"),
      ("http://a/a/%2e%2e/b", "http://a/b"), ("http://a/a/%2E./b", "http://a/b"),
      ("http://a/a/.%2e", "http://a/"), ("http://a/a/%2e/b", "http://a/a/b"),
      ("http://a/a/%2e%2e%2e/b", "http://a/a/%2e%2e%2e/b"), ("http://a/a/%2f../b", "http://a/a/%2f../b"),
      ("http://a/a/.b/..c", "http://a/a/.b/..c"), ("http://a/a/.\u{301}/b", "http://a/a/.%CC%81/b"),
      ("http://example.org./", "http://example.org./"), ("http://a_b~c/", "http://a_b~c/"),
      ("http://127.0.0.1:80/", "http://127.0.0.1:80/"), ("http://127.1/", "http://127.0.0.1/"),
      ("http://0x7F.0.1/", "http://127.0.0.1/"), ("http://0177.0x0.1/", "http://127.0.0.1/"),
      ("http://2130706433/", "http://127.0.0.1/"), ("http://1.2.3.4./", "http://1.2.3.4/"),
      ("http://4294967295/", "http://255.255.255.255/"),
      ("http://1.65793/", "http://1.1.1.1/"), ("http://1.2.3.4a/", "http://1.2.3.4a/"),
      ("http://1.2.3.4-5/", "http://1.2.3.4-5/"), ("http://1.a/", "http://1.a/"),
      ("http://1.0x-1/", "http://1.0x-1/"),
      ("http://\u{FF11}\u{FF12}7.1/", "http://127.0.0.1/"),
      ("http://\u{FF25}xample\u{3002}org/", "http://example.org/"),
      ("http://B\u{FF55}\u{308}cher.de/", "http://xn--bcher-kva.de/"),
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
      ("http://256.1.1.1/", .host), ("http://1.2.3.4.5/", .host), ("http://1.2.3.256/", .host),
      ("http://1.2.65536/", .host), ("http://4294967296/", .host), ("http://0x100000000/", .host),
      ("http://99999999999999999999/", .host), ("http://1..2/", .host), ("http://1.2.3.08/", .host),
      ("http://1.2.3.4../", .host), ("http://./", .host), ("http://../", .host), ("http://.1/", .host),
      ("http://a.1/", .host), ("http://a.0x4/", .host), ("http://-0.1/", .host), ("http://0x+1/", .host),
      ("http://a..b/", .host), ("http://.a/", .host), ("http://a../", .host),
      ("http://" + String(repeating: "a", count: 64) + ".org/", .host),
      ("http://" + String(repeating: "a.", count: 127) + "org/", .host),
      ("http://ex\u{FF05}61mple.org/", .host), ("http://ex\u{FE6A}61mple.org/", .host),
      ("http://a\u{FF0F}b.org/", .host), ("http://a\u{FF1F}b.org/", .host), ("http://a\u{FF03}b.org/", .host),
      ("http://a\u{FF20}b.org/", .host), ("http://a\u{FF1A}80/", .host), ("http://\u{2100}.org/", .host),
      ("http://\u{2474}.org/", .host), ("http://a\u{FF3C}b/", .host), ("http://a\u{2003}b/", .host),
      ("http://\u{AD}/", .host), ("http://a\u{FFFD}b/", .host),
    ] as [(String, HTTPAddress.Problem)])
  func problems(text: String, problem: HTTPAddress.Problem) {
    #expect(throws: problem) { try HTTPAddress(text) }
  }

  /// The digits would complete an escape.
  @Test("no character beyond ASCII makes two parts of a host, or another host")
  func compatibility() {
    for scalar in (0x80...0x1_FFFF).compactMap(Unicode.Scalar.init) {
      let plain = String(scalar).precomposedStringWithCompatibilityMapping
      let isMark = plain.utf8.contains { $0 < 0x80 && !URLReference.isLetter($0) && !(48...57).contains($0) }
      guard isMark, !plain.utf8.allSatisfy({ "-._~".utf8.contains($0) || $0 >= 0x80 }) else { continue }
      #expect(throws: HTTPAddress.Problem.host, "\(scalar.value)") {
        try HTTPAddress("http://a\(scalar)61b.org/")
      }
    }
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

  /// `URLReferenceTests` has all examples of RFC 3986.
  @Test("a reference is resolved against an address")
  func references() throws {
    let base = try HTTPAddress("http://a/b/c/d;p?q")
    for (reference, shown) in [
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("#s", "http://a/b/c/d;p?q#s"), ("../../../g", "http://a/g"),
      ("//x/y", "http://x/y"),
    ] { #expect(try base.resolving(reference).shown == shown) }
    #expect(throws: HTTPAddress.Problem.scheme) { try base.resolving("a:b/c") }
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
