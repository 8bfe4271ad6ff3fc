import MillraceHTTP
import Testing

@Suite struct URLReferenceTests {
  @Test("the example of the documentation means what it says")
  func example() {
    let page = URLReference("https://example.org/docs/start?print")
    let link = URLReference("../faq#cost").resolved(against: page)
    #expect(link.description == "https://example.org/faq#cost")
    #expect(link.scheme == "https" && link.authority == "example.org" && link.path == "/faq")
    #expect(link.query == nil && link.fragment == "cost")
  }

  // RFC 3986, 5.4.1 and 5.4.2, without those whose base has no hierarchy.
  private static let examples = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
  ]

  @Test("links are resolved as RFC 3986 does in its examples", arguments: examples)
  func resolution(link: String, expected: String) {
    #expect(URLReference(link).resolved(against: URLReference("http://a/b/c/d;p?q")).description == expected)
  }

  @Test("a link on a page without a path begins at the root")
  func withoutPath() {
    #expect(URLReference("g").resolved(against: URLReference("http://a")).description == "http://a/g")
    #expect(URLReference("?y").resolved(against: URLReference("http://a")).description == "http://a?y")
  }

  @Test("a reference put together again is what it was cut from", arguments: examples)
  func roundTrip(link: String, target: String) {
    #expect(URLReference(link).description == link)
    #expect(URLReference(target).description == target)
  }
}
