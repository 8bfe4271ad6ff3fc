import Foundation
import Testing

@testable import MillraceEffects

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct HTTPExchangeTests {
  private func head(_ status: Int = 200, _ fields: [String: String] = [:]) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://example.org/"))
    return try #require(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
  }

  @Test("once an outcome is decided, nothing that arrives later changes it")
  func ended() throws {
    var exchange = HTTPExchange(HTTPRequest("http://example.org/"))
    #expect(exchange.abandoned(.timedOut) == .end(.failure(.timedOut)))
    #expect(exchange.redirected(by: try head(302, ["Location": "/x"])) == .ignore)
    #expect(exchange.responseArrived(try head()) == .ignore)
    #expect(exchange.bodyArrived(Data([1])) == .ignore)
    #expect(exchange.completed(nil) == .ignore)
    #expect(exchange.challenged(try head(401)) == .ignore)
    #expect(exchange.abandoned(.cancelled) == .ignore)
  }

  @Test("a body is counted over all of its parts")
  func parts() throws {
    var exchange = HTTPExchange(HTTPRequest("http://example.org/", largestBody: 5))
    #expect(exchange.responseArrived(try head()) == .goOn)
    #expect(exchange.bodyArrived(Data([1, 2, 3])) == .goOn)
    #expect(exchange.bodyArrived(Data([4, 5])) == .goOn)
    #expect(exchange.bodyArrived(Data([6])) == .end(.failure(.bodyTooLarge(limit: 5))))
  }

  @Test("a load that the system broke off for lack of a network keeps what it is, also after the head")
  func systemFailures() throws {
    for (code, failure) in [
      (URLError.Code.timedOut, HTTPFailure.timedOut),
      (.networkConnectionLost, .cutOff(received: 0, expected: 9)),
    ] {
      var exchange = HTTPExchange(HTTPRequest("http://example.org/"))
      _ = exchange.responseArrived(try head(200, ["Content-Length": "9"]))
      #expect(exchange.completed(URLError(code)) == .end(.failure(failure)))
    }
  }

  @Test(
    "an error before any answer becomes the failure that it means",
    arguments: [
      (.cannotFindHost, .hostNotFound("example.org")), (.dnsLookupFailed, .hostNotFound("example.org")),
      (.networkConnectionLost, .cutOff(received: 0, expected: nil)),
      (.badServerResponse, .cutOff(received: 0, expected: nil)), (.timedOut, .timedOut),
      (.cancelled, .cancelled), (.httpTooManyRedirects, .tooManyRedirects(limit: 20)),
    ] as [(URLError.Code, HTTPFailure)])
  func mapping(code: URLError.Code, failure: HTTPFailure) {
    #expect(HTTPFailure(URLError(code), of: HTTPRequest("http://example.org/")) == failure)
  }
}
