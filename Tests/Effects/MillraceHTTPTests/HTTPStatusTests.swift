import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import Testing

@Suite(.serialized) struct HTTPStatusTests {
  private func failure(answer: String, accepting statuses: ClosedRange<Int> = 200...299) async throws
    -> HTTPFailure?
  {
    let server = try LoopbackServer(answering: { _ in answer })
    let request = HTTPRequest(server.url(), timeout: nil, acceptedStatuses: statuses)
    var failure: HTTPFailure?
    do throws(HTTPFailure) { _ = try await HTTPClient.untimed().load(request) } catch { failure = error }
    await server.stop()
    return failure
  }

  @Test("a status that is not accepted is told with the header and the beginning of the body")
  func notAccepted() async throws {
    let failure = try await failure(
      answer: "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nlater")
    guard case .statusNotAccepted(503, let headers, "later") = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(headers["retry-after"] == "7")
    #expect(failure?.isTransient == true)
  }

  @Test("of a long unwanted body only the beginning is read")
  func excerpt() async throws {
    let failure = try await failure(
      answer: "HTTP/1.1 404 Not Found\r\n\r\n" + String(repeating: "x", count: 1_000_000))
    guard case .statusNotAccepted(404, _, let excerpt) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(excerpt == String(repeating: "x", count: 1_024))
    #expect(failure?.isTransient == false)
  }

  @Test("an unwanted body that is cut off is still told by its status")
  func cutOff() async throws {
    let failure = try await failure(answer: "HTTP/1.1 500 Oh\r\nContent-Length: 50\r\n\r\nno")
    guard case .statusNotAccepted(500, _, "no") = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test(
    "a demand for credentials ends as the status that it is",
    arguments: ["WWW-Authenticate: Basic realm=\"x\"\r\n", "WWW-Authenticate: Digest realm=\"x\"\r\n", ""])
  func challenge(field: String) async throws {
    let answer = "HTTP/1.1 401 Who\r\n\(field)Content-Length: 2\r\n\r\nno"
    guard case .statusNotAccepted(401, _, _) = try await failure(answer: answer) else {
      Issue.record("not told by its status")
      return
    }
    #expect(try await failure(answer: answer, accepting: HTTPRequest.anyStatus) == nil)
  }
}
