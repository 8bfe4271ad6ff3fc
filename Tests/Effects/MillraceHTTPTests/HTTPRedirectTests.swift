import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import Testing

@Suite(.stopsServers, .serialized) struct HTTPRedirectTests {
  private let heads = Recorder<String>()

  /// The outcome of a `GET` of `/start` at a server that answers by path.
  private func outcome(
    answers: [String: String], _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> Result<HTTPResponse, HTTPFailure> {
    let server = try LoopbackServer(noting: heads) { head in
      answers[String(head.split(separator: " ")[1])] ?? page("", status: "404 Not Found")
    }
    var request = HTTPRequest(server.url("/start"), timeout: nil)
    change(&request)
    return await Result.of(request, through: .untimed())
  }

  private static func redirect(to location: String?, status: Int = 302) -> String {
    page("move", status: "\(status) Elsewhere", location.map { "Location: \($0)\r\n" } ?? "")
  }

  @Test("redirects are followed and counted, and the response tells where it is from")
  func followed() async throws {
    let response = try await outcome(answers: [
      "/start": Self.redirect(to: "/b?x=1"), "/b?x=1": Self.redirect(to: "c", status: 301), "/c": page(),
    ]).get()
    #expect(response.redirectCount == 2)
    #expect(response.url.hasSuffix("/c"))
    #expect(response.body == Data("hi".utf8))
  }

  @Test("as many redirects as allowed are followed, one more is not", arguments: [0, 1, 3])
  func limit(limit: Int) async throws {
    var answers = ["/\(limit)": page(), "/start": limit == 0 ? page() : Self.redirect(to: "/1")]
    for step in 1..<max(limit, 1) { answers["/\(step)"] = Self.redirect(to: "/\(step + 1)") }
    let allowed = try await outcome(answers: answers) { $0.redirects = .follow(atMost: limit) }
    #expect(try allowed.get().redirectCount == limit)
    answers[limit == 0 ? "/start" : "/\(limit)"] = Self.redirect(to: "/further")
    let refused = try await outcome(answers: answers) { $0.redirects = .follow(atMost: limit) }
    #expect(refused == .failure(.tooManyRedirects(limit: limit)))
    #expect(heads.count == 2 * (limit + 1))
  }

  @Test(
    "a circle of redirects ends, also where the request allows more than the system follows",
    arguments: [(nil, 10), (1_000, HTTPClient.mostRedirects)] as [(Int?, Int)])
  func circle(most: Int?, limit: Int) async throws {
    let outcome = try await outcome(answers: ["/start": Self.redirect(to: "/start")]) {
      if let most { $0.redirects = .follow(atMost: most) }
    }
    #expect(outcome == .failure(.tooManyRedirects(limit: limit)))
    #expect(heads.count == limit + 1)
  }

  @Test("a redirect that is not to be followed is the response")
  func stopped() async throws {
    let response = try await outcome(answers: ["/start": Self.redirect(to: "/next")]) {
      $0.redirects = .stop
      $0.acceptedStatuses = 300...399
    }.get()
    #expect(response.status == 302)
    #expect(response.headers["location"] == "/next")
    #expect(heads.count == 1)
  }

  @Test("a redirect that leads nowhere is the response", arguments: [nil, ""])
  func nowhere(location: String?) async throws {
    let server = try LoopbackServer(noting: Recorder()) { _ in Self.redirect(to: location) }
    var request = HTTPRequest(server.url(), timeout: nil)
    #expect(await Result.of(request).failure?.status == 302)
    request.acceptedStatuses = HTTPRequest.anyStatus
    let taken = await TakenStream.take(request)
    #expect(taken.heads.map(\.status) == [302])
    #expect(try taken.outcome?.get().status == 302)
  }

  @Test(
    "a redirect out of HTTP is refused", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://"])
  func outOfHTTP(location: String) async throws {
    let outcome = try await outcome(answers: ["/start": Self.redirect(to: location)])
    #expect(outcome == .failure(.badURL(location)))
    #expect(heads.count == 1)
  }

  @Test("credentials and a custom host stay on the same host and port, and go to no other")
  func secrets() async throws {
    let others = Recorder<String>()
    let other = try LoopbackServer(noting: others)
    let outcome = try await outcome(answers: [
      "/start": Self.redirect(to: "/next"), "/next": Self.redirect(to: other.url()),
    ]) {
      $0.headers = [
        "authorization": "secret", "cookie": "secret", "host": "custom.example", "x-tag": "kept",
      ]
    }
    #expect(try outcome.get().redirectCount == 2)
    #expect(heads.count == 2)
    for head in heads.values.map({ $0.lowercased() }) {
      #expect(head.contains("\r\nauthorization: secret") && head.contains("\r\ncookie: secret"))
      #expect(head.contains("\r\nhost: custom.example\r\n"))
    }
    #expect(!others.values[0].contains("secret") && others.values[0].contains("kept"))
    #expect(others.values[0].lowercased().contains("\r\nhost: 127.0.0.1:\(other.port)\r\n"))
  }

  @Test("a body goes along with 307 and 308, and with whatever is not a POST", arguments: [307, 308, 302])
  func bodies(status: Int) async throws {
    let bodies = Recorder<String>()
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        bodies.append(head.prefix { $0 != " " } + " " + String(decoding: connection.read(5), as: UTF8.self))
        connection.write(head.contains(" /start ") ? Self.redirect(to: "/next", status: status) : page())
      }
    }
    let request = HTTPRequest(server.url("/start"), method: "PUT", body: Data("hello".utf8), timeout: nil)
    #expect(try await Result.of(request, through: .untimed()).get().redirectCount == 1)
    #expect(bodies.values == ["PUT hello", "PUT hello"])
  }
}
