import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import Testing

@Suite(.serialized) struct HTTPRedirectTests {
  /// The outcome of a `GET` of `/start` at a server that answers by path, and the requests that reached it.
  private func outcome(
    answers: [String: String], _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> (Result<HTTPResponse, HTTPFailure>, heads: [String]) {
    let heads = Recorder<String>()
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        heads.append(head)
        let path = String(head.split(separator: " ")[1])
        connection.write(answers[path] ?? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
      }
    }
    var request = HTTPRequest(server.url("/start"), timeout: nil)
    change(&request)
    let outcome: Result<HTTPResponse, HTTPFailure>
    do throws(HTTPFailure) { outcome = .success(try await HTTPClient.untimed().load(request)) } catch {
      outcome = .failure(error)
    }
    await server.stop()
    return (outcome, heads.values)
  }

  private static func redirect(to location: String?, status: Int = 302) -> String {
    let field = location.map { "Location: \($0)\r\n" } ?? ""
    return "HTTP/1.1 \(status) Elsewhere\r\n\(field)Content-Length: 4\r\n\r\nmove"
  }
  private static let page = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"

  @Test("redirects are followed and counted, and the response tells where it is from")
  func followed() async throws {
    let (outcome, _) = try await outcome(answers: [
      "/start": Self.redirect(to: "/b?x=1"), "/b?x=1": Self.redirect(to: "c", status: 301), "/c": Self.page,
    ])
    let response = try outcome.get()
    #expect(response.redirectCount == 2)
    #expect(response.url.hasSuffix("/c"))
    #expect(response.body == Data("page".utf8))
  }

  @Test("as many redirects as allowed are followed, one more is not", arguments: [0, 1, 3])
  func limit(limit: Int) async throws {
    var answers = ["/\(limit)": Self.page, "/start": limit == 0 ? Self.page : Self.redirect(to: "/1")]
    for step in 1..<max(limit, 1) { answers["/\(step)"] = Self.redirect(to: "/\(step + 1)") }
    let allowed = try await outcome(answers: answers) { $0.redirects = .follow(atMost: limit) }
    #expect(try allowed.0.get().redirectCount == limit)
    answers["/\(limit)"] = Self.redirect(to: "/further")
    if limit == 0 { answers["/start"] = Self.redirect(to: "/further") }
    let refused = try await outcome(answers: answers) { $0.redirects = .follow(atMost: limit) }
    #expect(refused.0 == .failure(.tooManyRedirects(limit: limit)))
    #expect(refused.heads.count == limit + 1)
  }

  @Test("a circle of redirects ends")
  func circle() async throws {
    let (outcome, heads) = try await outcome(answers: ["/start": Self.redirect(to: "/start")])
    #expect(outcome == .failure(.tooManyRedirects(limit: 10)))
    #expect(heads.count == 11)
  }

  @Test("more redirects than the system follows are too many, whatever the request allows")
  func systemLimit() async throws {
    let (outcome, _) = try await outcome(answers: ["/start": Self.redirect(to: "/start")]) {
      $0.redirects = .follow(atMost: 1_000)
    }
    #expect(outcome == .failure(.tooManyRedirects(limit: HTTPClient.mostRedirects)))
  }

  @Test("a redirect that is not to be followed is the response")
  func stopped() async throws {
    let (outcome, heads) = try await outcome(answers: ["/start": Self.redirect(to: "/next")]) {
      $0.redirects = .stop
      $0.acceptedStatuses = 300...399
    }
    let response = try outcome.get()
    #expect(response.status == 302)
    #expect(response.headers["location"] == "/next")
    #expect(heads.count == 1)
  }

  @Test("a redirect that leads nowhere is the response", arguments: [nil, ""])
  func nowhere(location: String?) async throws {
    let (outcome, _) = try await outcome(answers: ["/start": Self.redirect(to: location)])
    guard case .failure(.statusNotAccepted(status: 302, _, _)) = outcome else {
      Issue.record("not told by its status: \(outcome)")
      return
    }
  }

  @Test(
    "a redirect out of HTTP is refused", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://"])
  func outOfHTTP(location: String) async throws {
    let (outcome, heads) = try await outcome(answers: ["/start": Self.redirect(to: location)])
    #expect(outcome == .failure(.badURL(location)))
    #expect(heads.count == 1)
  }

  @Test("credentials are not carried to another host", arguments: ["authorization", "cookie"])
  func credentials(field: String) async throws {
    let other = Recorder<String>()
    let otherServer = try LoopbackServer { connection in
      other.append(connection.readHead() ?? "")
      connection.write(Self.page)
    }
    let (outcome, heads) = try await outcome(answers: ["/start": Self.redirect(to: otherServer.url())]) {
      $0.headers = [.init(field): "secret", "x-tag": "kept"]
    }
    await otherServer.stop()
    #expect(try outcome.get().redirectCount == 1)
    #expect(heads[0].contains("secret"))
    #expect(!other.values[0].contains("secret"))
    #expect(other.values[0].contains("kept"))
  }

  @Test("credentials are carried along on the same host and port")
  func sameHost() async throws {
    let (_, heads) = try await outcome(answers: ["/start": Self.redirect(to: "/next"), "/next": Self.page]) {
      $0.headers = ["authorization": "secret"]
    }
    #expect(heads.count == 2)
    #expect(heads.last?.contains("secret") == true)
  }

  @Test("a body goes along with 307 and 308, and with whatever is not a POST", arguments: [307, 308, 302])
  func bodies(status: Int) async throws {
    let bodies = Recorder<String>()
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        bodies.append(head.prefix { $0 != " " } + " " + String(decoding: connection.read(5), as: UTF8.self))
        let isFirst = head.contains(" /start ")
        connection.write(isFirst ? Self.redirect(to: "/next", status: status) : Self.page)
      }
    }
    let request = HTTPRequest(server.url("/start"), method: "PUT", body: Data("hello".utf8), timeout: nil)
    #expect(try await HTTPClient.untimed().load(request).redirectCount == 1)
    await server.stop()
    #expect(bodies.values == ["PUT hello", "PUT hello"])
  }

  @Test("a custom host is not carried to another server, but stays on the same one")
  func customHost() async throws {
    let other = Recorder<String>()
    let otherServer = try LoopbackServer { connection in
      other.append(connection.readHead() ?? "")
      connection.write(Self.page)
    }
    let (_, heads) = try await outcome(answers: [
      "/start": Self.redirect(to: "/next"), "/next": Self.redirect(to: otherServer.url("/")),
    ]) { $0.headers = ["host": "custom.example"] }
    await otherServer.stop()
    #expect(heads.count == 2)
    #expect(heads.allSatisfy { $0.lowercased().contains("\r\nhost: custom.example\r\n") })
    #expect(other.values[0].lowercased().contains("\r\nhost: 127.0.0.1:\(otherServer.port)\r\n"))
  }
}
