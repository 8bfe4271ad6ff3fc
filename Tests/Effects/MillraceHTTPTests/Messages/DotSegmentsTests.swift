import Testing

@testable import MillraceHTTP

@Suite struct DotSegmentsTests {
  @Test(
    "a dot counts however it is written",
    arguments: [
      ("/a/%2e%2e/b", "/b"), ("/a/%2E./b", "/b"), ("/a/.%2e", "/"), ("/a/%2e/b", "/a/b"),
      ("/a/%2e%2e%2e/b", "/a/%2e%2e%2e/b"),
      ("/a/%2f../b", "/a/%2f../b"), ("/a/.b/..c", "/a/.b/..c"), ("/a/.\u{301}/b", "/a/.\u{301}/b"),
      ("..", ""), ("/..", "/"),
    ])
  func dots(path: String, expected: String) {
    #expect(DotSegments.removed(from: path[...]) == expected)
  }
}
