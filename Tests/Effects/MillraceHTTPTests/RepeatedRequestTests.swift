import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import Testing

/// A server that takes a request on a kept connection and hangs up, which libcurl would answer by asking again.
@Suite(.stopsServers, .serialized) struct RepeatedRequestTests {
  /// Answers the first request on each connection, and hangs up on the second.
  private static func makeServer(
    resets: Bool, _ arrived: Recorder<String>
  ) throws -> LoopbackServer {
    try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      arrived.append(String(head.prefix { $0 != "\r" }))
      if head.lowercased().contains("content-length: 5") { _ = connection.read(5) }
      connection.write(page())
      guard let second = connection.readHead() else { return }
      arrived.append(String(second.prefix { $0 != "\r" }))
      if second.lowercased().contains("content-length: 5") { _ = connection.read(5) }
      if resets { connection.reset() }
    }
  }

  /// Sends a request over the connection of another one, and returns what came of it and what arrived.
  ///
  /// A connection that has waited for two minutes, as on a machine with much else to do, is not used again: nothing is
  /// learned then, and so both are sent again.
  private func second(
    _ request: HTTPRequest, after first: HTTPRequest, _ arrived: Recorder<String>
  ) async throws -> (Result<HTTPResponse, HTTPFailure>, [String]) {
    let client = HTTPClient.untimed()
    while true {
      let before = arrived.count
      _ = try await client.load(first)
      let result = await Result.of(request, through: client)
      let arrivals = Array(arrived.values.dropFirst(before))
      if case .success = result, arrivals.count == 2 { continue }
      return (result, arrivals)
    }
  }

  @Test(
    "a request whose method must not be repeated reaches a server that hangs up once, and says that it did",
    arguments: ["POST", "PUT", "PATCH", "DELETE", "LOCK"], [false, true])
  func once(method: String, resets: Bool) async throws {
    for body in [nil, Data("hello".utf8)] {
      let arrived = Recorder<String>()
      let server = try Self.makeServer(resets: resets, arrived)
      let first = HTTPRequest(server.url("/first"), timeout: nil)
      let request = HTTPRequest(server.url("/second"), method: method, body: body, timeout: nil)
      let (result, arrivals) = try await second(request, after: first, arrived)
      let failure = #expect(throws: HTTPFailure.self) { try result.get() }
      #expect(failure == .cutOff(received: 0, expected: nil))
      #expect(failure?.mayHaveBeenServed == true)
      #expect(arrivals.count { $0.hasPrefix("\(method) /second") } == 1)
      await server.stop()
    }
  }

  @Test(
    "a request that a server took may have been served, also if nobody can connect to that server any more",
    arguments: ["POST", "GET"])
  func gone(method: String) async throws {
    let arrived = Recorder<String>()
    let refusing = Lock<LoopbackServer?>(nil)
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write(page())
      guard let second = connection.readHead() else { return }
      arrived.append(second)
      refusing.withLock { $0 }?.refuseConnections()
    }
    refusing.withLock { $0 = server }
    let client = HTTPClient.untimed()
    _ = try await client.load(HTTPRequest(server.url("/first"), timeout: nil))
    let request = HTTPRequest(server.url("/second"), method: method, timeout: nil)
    let failure = await #expect(throws: HTTPFailure.self) { try await client.load(request) }
    #expect(failure == .cutOff(received: 0, expected: nil))
    #expect(failure?.mayHaveBeenServed == true)
    #expect(arrived.count == 1)
    refusing.withLock { $0 = nil }
  }

  @Test(
    "a request that changes nothing at the server is repeated over another connection",
    arguments: ["GET", "OPTIONS"])
  func repeated(method: String) async throws {
    let arrived = Recorder<String>()
    let server = try Self.makeServer(resets: false, arrived)
    let first = HTTPRequest(server.url("/first"), timeout: nil)
    let request = HTTPRequest(server.url("/second"), method: method, timeout: nil)
    let (result, arrivals) = try await second(request, after: first, arrived)
    #expect(try result.get().body == Data("hi".utf8))
    #expect(arrivals.count { $0.hasPrefix("\(method) /second") } == 2)
  }

  @Test("a request goes over a kept connection whatever its method, and over a new one once that was closed")
  func kept() async throws {
    let connections = Lock(0)
    let server = try LoopbackServer { connection in
      connections.withLock { $0 += 1 }
      for _ in 0..<3 where connection.readHead() != nil {
        connection.write(page())
      }
    }
    let client = HTTPClient.untimed()
    for method in ["GET", "POST", "DELETE"] {
      _ = try await client.load(HTTPRequest(server.url(), method: method, timeout: nil))
    }
    #expect(connections.withLock { $0 } == 1)
    await server.connectionsEnded()
    _ = try await client.load(HTTPRequest(server.url(), method: "POST", timeout: nil))
    #expect(connections.withLock { $0 } == 2)
  }
}
