import Foundation
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("Addresses")
struct AddressTests {
  @Test(
    "one place has one spelling",
    arguments: [
      ("HTTP://Example.ORG", "http://example.org/"),
      ("http://example.org:80/a", "http://example.org/a"),
      ("https://example.org:443/a", "https://example.org/a"),
      ("http://example.org:8080", "http://example.org:8080/"),
      ("http://example.org/a#b", "http://example.org/a"),
      ("http://example.org/%7ea/%c3%a9", "http://example.org/~a/%C3%A9"),
      ("http://example.org/é ü", "http://example.org/%C3%A9%20%C3%BC"),
      ("http://example.org/a?b=c d", "http://example.org/a?b=c%20d"),
      ("  http://example.org/a\n", "http://example.org/a"),
      ("http://example.org/a/../b/./c", "http://example.org/b/c"),
      ("http://example.org/100%", "http://example.org/100%25"),
      ("file:///a%20b/c.md", "file:///a%20b/c.md"),
    ])
  func spelling(text: String, expected: String) {
    guard text != "http://example.org/a/../b/./c" else {
      // Dots are taken out where links are resolved.
      #expect(address("http://x/").resolving(text) == .address(address(expected)))
      return
    }
    #expect(Address(text)?.text == expected)
  }

  @Test(
    "what names no place is no address",
    arguments: [
      "", "a", "/a", "http://", "http:///a", "http:a", "mailto:a@b", "ftp://a/b", "http://a b/", "file:a",
    ])
  func refusal(text: String) {
    #expect(Address(text) == nil)
  }

  @Test("links of other kinds are told from links that are wrong")
  func kinds() {
    let page = address("http://a/b")
    #expect(page.resolving("mailto:x@y") == .otherScheme)
    #expect(page.resolving("javascript:void(0)") == .otherScheme)
    #expect(page.resolving("tel:+49") == .otherScheme)
    #expect(page.resolving("http://") == .invalid)
    #expect(page.resolving("https://a b") == .invalid)
    #expect(page.resolving("c#d") == .address(address("http://a/c")))
    #expect(page.resolving("#") == .address(page))
    #expect(page.resolving(" c\nd ") == .address(address("http://a/cd")))
  }

  @Test("a path in the file system comes back from its address")
  func files() {
    for path in ["/a/b.md", "/a b/ü.md", "/a/b#c.md", "/a/b?c.md", "/100%/x", "/a/", "/a%20b.md"] {
      #expect(Address(file: path).filePath == Array(path.utf8))
      #expect(Address(Address(file: path).text) == Address(file: path))
    }
  }

  @Test("the ending of a name is found where there is one")
  func endings() {
    #expect(address("http://a/b.HTML?c.png").fileExtension == "html")
    #expect(address("http://a/b.c/d").fileExtension == "")
    #expect(address("http://a/.hidden").fileExtension == "")
    #expect(address("http://a/").fileExtension == "")
  }

  @Test("an address comes back from JSON, and what is none is refused")
  func coding() throws {
    let list = [address("http://a/b"), address("file:///c")]
    #expect(try JSONDecoder().decode([Address].self, from: try JSONEncoder().encode(list)) == list)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Address].self, from: Data(#"["nowhere"]"#.utf8))
    }
  }

  private func address(_ text: String) -> Address { Address(text) ?? Address(file: "/no-address") }

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

@Suite("Links that are not what they look like")
struct LinkMeaningTests {
  @Test("on a page that is a file, two slashes begin a host")
  func hosts() {
    let page = Address(file: "/d/a.html")
    for link in ["//h/x.js", "\\\\h\\x.js", " //h/x.js"] {
      #expect(page.resolving(link) == .address("http://h/x.js"))
    }
    #expect(page.resolving("///x.js") == .address("file:///x.js"))
    #expect(page.resolving("/x.js") == .address("file:///x.js"))
    #expect(Address("https://a/" as String)?.resolving("//h/x.js") == .address("https://h/x.js"))
  }

  @Test("a page in a folder may say that its links are those of a site")
  func base() {
    let resolver = LinkResolver(scope: Scope(folder: Array("/d/".utf8)))
    func targets(_ html: String) -> [String] {
      let document = Markup.html.document(of: html + "<a href=x><a href=/y><a href=//h/z>")
      return resolver.page(of: document, markup: .html, size: 0, at: Address(file: "/d/s/a.html")).targets
        .map(\.text)
    }
    #expect(targets("") == ["file:///d/s/x", "file:///d/y", "http://h/z"])
    #expect(targets("<base href='https://b/c/'>") == ["https://b/c/x", "https://b/y", "https://h/z"])
    #expect(targets("<base href=/e/>") == ["file:///d/e/x", "file:///d/y", "http://h/z"])
    #expect(targets("<base href=//b/c/>") == ["http://b/c/x", "http://b/y", "http://h/z"])
  }

  @Test(
    "a password is hidden wherever an address is shown",
    arguments: [
      ("https://u:p@h/a", "https://u:***@h/a"),
      ("see //u:p@h and http://v:q@w?x", "see //u:***@h and http://v:***@w?x"),
      ("http:\\\\u:p@h", "http:\\\\u:***@h"), ("http://u@h/", "http://u@h/"),
      ("http://h:8/a@b", "http://h:8/a@b"),
      ("http://u:p@q@h/", "http://u:***@h/"), ("a/b:c@d", "a/b:c@d"),
      ("\"http://u:p@h\"", "\"http://u:***@h\""),
    ])
  func passwords(text: String, shown: String) { #expect(Password.hidden(in: text) == shown) }

  @Test(
    "the password of a link is hidden, whatever characters it has",
    arguments: [
      ("http://u:p@h/a?b#c", "http://u:***@h/a?b#c"), ("//u:\"'p<>@h", "//u:***@h"),
      ("http://u:p\tq@h/", "http://u:***@h/"), ("http:\\\\u:p@h", "http:\\\\u:***@h"),
      (" a.md\n", " a.md\n"), ("HTTP://h:8/", "HTTP://h:8/"),
    ])
  func linkPasswords(link: String, shown: String) { #expect(Password.hidden(inLink: link) == shown) }
}
