#if !canImport(Darwin)
import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Against a server that breaks the rules of HTTP/2, frame by frame.
@Suite(
  .enabled(if: TLSRelay.shared != nil, "there is no openssl or no python3 to speak TLS"), .serialized,
  .timeLimit(.minutes(30)))
struct HTTP2HostileServerTests {
  @Test(
    "whatever a server does over HTTP/2 has one outcome of the right kind, and the next request gets its own answer",
    arguments: HTTP2Behaviour.tested)
  func behaviour(behaviour: HTTP2Behaviour) async throws {
    let server = try HTTP2Server(behaviour)
    let relay = try #require(TLSRelay.shared)
    let url = "https://127.0.0.1:\(try #require(relay.port(for: server.port)))/"
    let clock = TestClock()
    let client = HTTPClient.untimed(clock: clock, authorities: relay.authority)
    // Only what may never end by itself is ended by time.
    let request = HTTPRequest(
      url, method: behaviour.method,
      timeout: behaviour.endings.contains(.endless) ? .milliseconds(200) : nil,
      largestBody: HostileBehaviour.largestBody)
    let loaded = await withTimePassing(by: clock, once: !server.requests.isEmpty) {
      await Result.of(request, through: client)
    }
    #expect(loaded.ending.map(behaviour.endings.contains) == true, "\(loaded)")
    let first = server.requests.first
    let next = await Result.of(HTTPRequest(url, timeout: nil), through: client)
    #expect(next.ending == .answer("next"), "\(next)")
    switch behaviour.next {
    case .same: #expect(server.requests.last == first)
    case .another: #expect(server.requests.last != first)
    case .either: break
    }
    #expect(client.exchangesUnderWay == 0)
  }

  @Test("a connection that was silent for too long gets no other request, also while one still waits for it")
  func silence() async throws {
    let mute = try #require(HTTP2Behaviour.all.first { $0.name == "mute" })
    let server = try HTTP2Server(mute, lasts: true)
    let relay = try #require(TLSRelay.shared)
    let url = "https://127.0.0.1:\(try #require(relay.port(for: server.port)))/"
    let clock = TestClock()
    let client = HTTPClient.untimed(clock: clock, authorities: relay.authority)
    let first = Task { try await client.load(HTTPRequest(url + "1", timeout: .seconds(5))) }
    try await clock.sleepers(atLeast: 1)
    try await eventually { server.requests == [1] }
    let second = Task { try await client.load(HTTPRequest(url + "2", timeout: nil)) }
    try await eventually { server.requests == [1, 1] }
    clock.advance(by: .seconds(5))
    await #expect(throws: HTTPFailure.timedOut) { try await first.value }
    let third = try await inTime { try await client.load(HTTPRequest(url + "3", timeout: nil)) }
    #expect(third.body == Data("next".utf8))
    #expect(server.requests == [1, 1, 2])
    second.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await second.value }
    // Nobody waits for the silent connection any more.
    try await eventually { server.openConnections == 1 }
  }

  @Test("there are many hostile behaviours over HTTP/2, each with a name of its own")
  func count() {
    #expect(HTTP2Behaviour.all.count >= 90)
    #expect(Set(HTTP2Behaviour.all.map(\.name)).count == HTTP2Behaviour.all.count)
  }
}
#endif
