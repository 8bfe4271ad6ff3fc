import Testing

@testable import MillraceHTTP

@Suite struct ByteEqualTests {
  private let one = "http://a/caf\u{E9}"
  private let other = "http://a/cafe\u{301}"

  @Test("what differs in its bytes is not equal, though it looks equal")
  func bytes() {
    #expect(one == other)
    #expect(HTTPRequest(one) != HTTPRequest(other))
    #expect(Set([HTTPRequest(one), HTTPRequest(other), HTTPRequest(one)]).count == 2)
    let request = HTTPRequest("http://a/")
    #expect(HTTPDownloadRequest(request, to: one) != HTTPDownloadRequest(request, to: other))
    #expect(HTTPUploadRequest(request, from: one) != HTTPUploadRequest(request, from: other))
    #expect(HTTPRequest(one, headers: ["a": one]) != HTTPRequest(one, headers: ["a": other]))
    let effect = HTTPDownloadEffect()
    #expect(
      effect.id(of: HTTPDownloadRequest(request, to: one))
        != effect.id(of: HTTPDownloadRequest(request, to: other))
    )
    #expect(Set([ByteEqual("ab"), ByteEqual("a"), ByteEqual("b"), ByteEqual("")]).count == 4)
  }

  @Test("a request that is changed and changed back is the same one")
  func changed() {
    var request = HTTPRequest(one)
    request.url = other
    #expect(request != HTTPRequest(one))
    request.url = one
    #expect(request == HTTPRequest(one))
    #expect(request.hashValue == HTTPRequest(one).hashValue)
  }
}
