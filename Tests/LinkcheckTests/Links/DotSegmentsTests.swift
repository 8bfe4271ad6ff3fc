import Testing

@testable import linkcheck

@Suite("Dots in paths and names of hosts")
struct DotSegmentsTests {
  @Test(
    "a dot counts however it is written",
    arguments: [
      ("/a/%2e%2e/b", "/b"), ("/a/%2E./b", "/b"), ("/a/.%2e", "/"), ("/a/%2e/b", "/a/b"),
      ("/a/%2e%2e%2e/b", "/a/%2e%2e%2e/b"),
      ("/a/%2f../b", "/a/%2f../b"), ("/a/.b/..c", "/a/.b/..c"), ("/a/.\u{301}/b", "/a/.\u{301}/b"),
      ("..", ""), ("/..", "/"),
    ])
  func dots(path: String, expected: String) {
    #expect(DotSegments.removed(from: path) == expected)
  }

  @Test(
    "a host has one spelling",
    arguments: [
      ("http://B\u{FC}cher.example", "http://xn--bcher-kva.example/"),
      ("http://bu\u{308}cher.example", "http://xn--bcher-kva.example/"),
      ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
      ("http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"),
      ("http://他们为什么不说中文", "http://xn--ihqwcrb4cv8a8dqg056pqjye/"),
      ("http://[::1]:8080/", "http://[::1]:8080/"), ("http://a:/", "http://a/"),
    ])
  func hosts(text: String, expected: String) {
    #expect(Address(text)?.text == expected)
  }

  @Test("a path is a path with slashes of either kind, and no escape but the byte where it is a file's")
  func slashes() {
    #expect(Address("http://a/" as String)?.resolving("b\\c#d\\e") == .address("http://a/b/c"))
    #expect(Address("http://a/" as String)?.resolving("?b\\c") == .address("http://a/?b%5Cc"))
    #expect(Address("file:///a(b)") == Address("file:///a%28b%29"))
    #expect(Address("http://a/(b)") != Address("http://a/%28b%29"))
  }
}
