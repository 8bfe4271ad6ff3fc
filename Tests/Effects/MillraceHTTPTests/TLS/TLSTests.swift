#if !canImport(Darwin)
import Foundation
import HostileServer
import MillraceHTTP
import Testing

/// Against real servers that speak TLS, each with a certificate that is made for it.
@Suite(
  .enabled(if: SecureServer.hasOpenSSL, "there is no openssl to make certificates and serve with them"),
  .serialized, .timeLimit(.minutes(30)))
struct TLSTests {
  private func client(trusting authority: String?) -> HTTPClient {
    .untimed(connectionsPerHost: 1, authorities: authority)
  }

  private func outcome(_ url: String, trusting authority: String?) async -> Result<HTTPResponse, HTTPFailure>
  {
    await Result.of(HTTPRequest(url, timeout: nil), through: client(trusting: authority))
  }

  private func expectTLSFailure(
    _ outcome: Result<HTTPResponse, HTTPFailure>?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let failure = outcome?.failure
    #expect(
      failure?.isTLS == true && failure?.isTransient == false, "\(String(describing: outcome))",
      sourceLocation: sourceLocation)
  }

  @Test("a page whose certificate is trusted is loaded")
  func good() async throws {
    let server = try SecureServer(.good)
    let response = try await outcome(server.url, trusting: server.authority).get()
    #expect(response.status == 200)
    #expect(response.body == Data("hello".utf8))
  }

  @Test(
    "a certificate that has expired or belongs to another host is a TLS failure, though its authority is trusted",
    arguments: [SecureServer.Certificate.expired, .ofAnotherHost])
  func wrong(certificate: SecureServer.Certificate) async throws {
    let server = try SecureServer(certificate)
    expectTLSFailure(await outcome(server.url, trusting: server.authority))
  }

  @Test("an authority that nobody knows is a TLS failure, for a stream too")
  func unknownAuthority() async throws {
    let server = try SecureServer(.good)
    expectTLSFailure(await outcome(server.url, trusting: nil))
    let taken = await TakenStream.take(HTTPRequest(server.url, timeout: nil), through: client(trusting: nil))
    expectTLSFailure(taken.outcome)
    #expect(taken.heads.isEmpty)
  }

  @Test("a file of authorities that is not there, or holds none, trusts nobody")
  func noAuthorities() async throws {
    let server = try SecureServer(.good)
    expectTLSFailure(await outcome(server.url, trusting: server.authority + "-nowhere"))
    expectTLSFailure(await outcome(server.url, trusting: "/dev/null"))
  }

  @Test("SSL_CERT_FILE names the authorities that are trusted")
  func environment() async {
    await #expect(processExitsWith: .success) {
      var isTrusted = false
      do {
        // It ends its process when it goes, which `exit` would leave behind.
        let server = try SecureServer(.good)
        setenv("SSL_CERT_FILE", server.authority, 1)
        let response = try? await HTTPClient().load(HTTPRequest(server.url, timeout: nil))
        isTrusted = response?.body == Data("hello".utf8)
      }
      exit(isTrusted ? 0 : 1)
    }
  }

  @Test(
    "HTTP/2 is spoken with a server that offers it, for many requests at once",
    .enabled(if: SecureServer.hasHTTP2, "there is no nghttpd, of Debian's nghttp2-server, to serve HTTP/2"))
  func http2() async throws {
    let server = try SecureServer(.good, speaksHTTP2: true)
    let client = client(trusting: server.authority)
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for _ in 0..<20 {
        group.addTask { try await client.load(HTTPRequest(server.url, timeout: nil)) }
      }
      for try await response in group {
        #expect(response.status == 200)
        #expect(response.body == Data("hello".utf8))
      }
    }
    var missing = HTTPRequest(server.url + "-nowhere", timeout: nil)
    missing.acceptedStatuses = HTTPRequest.anyStatus
    #expect(try await client.load(missing).status == 404)
    #expect(server.log.contains("HEADERS frame"))
    #expect(client.exchangesUnderWay == 0)
  }
}
#endif
