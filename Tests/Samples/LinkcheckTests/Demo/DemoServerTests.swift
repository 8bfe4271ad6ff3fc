import Foundation
import MillraceEffects
import MillraceHTTP
import MillraceSockets
import Testing

@testable import DemoSite

@Suite("The demo server", .serialized)
struct DemoServerTests {
  private func load(_ server: DemoServer, _ path: String, _ method: String = "GET") async throws
    -> HTTPResponse
  {
    let request = HTTPRequest(
      server.origin + path, method: method, timeout: nil, redirects: .stop,
      acceptedStatuses: HTTPRequest.anyStatus)
    return try await HTTPClient().load(request)
  }

  @Test("pages, redirects and errors are answered as the site says")
  func answers() async throws {
    let server = try DemoServer()
    defer { server.stop() }
    let front = try await load(server, "/?query")
    #expect(front.status == 200)
    #expect(front.headers["content-type"] == "text/html; charset=utf-8")
    #expect(String(decoding: front.body, as: UTF8.self).contains("<title>Millrace demo</title>"))
    #expect(try await load(server, "/", "HEAD").body.isEmpty)
    let redirect = try await load(server, "/start")
    #expect((redirect.status, redirect.headers["location"]) == (301, "/start/here"))
    #expect(try await load(server, "/gone").status == 410)
    #expect(try await load(server, "/missing").status == 404)
    #expect(try await load(server, "/huge").body.count == 3 << 20)
    #expect(server.requestCounts["/"] == 1 && server.requestCounts["/?query"] == 1)
    #expect(server.requestCounts["/missing"] == 1)
  }

  @Test("an answer that is held back comes when it is released")
  func hold() async throws {
    let server = try DemoServer()
    defer { server.stop() }
    server.hold("/about")
    async let held = load(server, "/about")
    #expect(try await load(server, "/guide/").status == 200)
    server.release("/about")
    #expect(try await held.status == 200)
  }

  @Test("a port that is taken is refused, and stopping twice does no harm")
  func ports() throws {
    let server = try DemoServer()
    #expect(throws: SocketError.self) { try DemoServer(port: server.port) }
    server.stop()
    server.stop()
  }

  @Test("every link that is said to be broken stands on its page, and every page can be reached")
  func seeds() {
    let site = DemoSite(neighbour: "http://n")
    #expect(site.brokenLinks.count == 10)
    #expect(site.brokenLinks.count { $0.isRemote } == 1)
    for link in site.brokenLinks {
      guard case .content(_, let body)? = site.responses[link.page] else {
        Issue.record("no page \(link.page)")
        continue
      }
      #expect(body.contains("\"\(link.link)\""))
    }
  }

  @Test("only the head of a request is a head")
  func heads() {
    #expect(RequestHead("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n")?.path == "/a")
    #expect(RequestHead("HEAD / HTTP/1.0")?.method == "HEAD")
    for text in ["", "GET", "GET / ", "GET a HTTP/1.1", " / HTTP/1.1", "GET / x HTTP/1.1", "GET / FTP/1"] {
      #expect(RequestHead(text) == nil, "\(text)")
    }
  }

  @Test("an answer announces its length")
  func bytes() {
    func text(_ response: DemoResponse?, _ method: String = "GET", count: Int = 1) -> String {
      String(decoding: ResponseBytes(response, method: method, count: count).bytes, as: UTF8.self)
    }
    #expect(
      text(.content(type: "a/b", body: "hé")).hasSuffix("Content-Length: 3\r\nConnection: close\r\n\r\nhé"))
    #expect(text(.content(type: "a/b", body: "hé"), "HEAD").hasSuffix("close\r\n\r\n"))
    #expect(text(.cut(announced: 90, body: "x")).contains("Content-Length: 90\r\n"))
    #expect(text(nil).hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(text(.flaky(failures: 2, body: "x"), count: 2).hasPrefix("HTTP/1.1 503 "))
    #expect(text(.flaky(failures: 2, body: "x"), count: 3).hasPrefix("HTTP/1.1 200 "))
    #expect(ResponseBytes(.slow(milliseconds: 7, body: ""), method: "GET", count: 1).delayInMilliseconds == 7)
  }
}
