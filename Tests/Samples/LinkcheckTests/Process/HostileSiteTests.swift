import Foundation
import HostileServer
import TestSupport
import Testing

// The limit is for a child that hangs, on however slow a machine; none is waited for by the clock.
@Suite("Hostile sites", .serialized, .timeLimit(.minutes(30)))
struct HostileSiteTests {
  /// - Parameter timeout: how long to wait for an answer, in seconds: short where nothing comes, and no more than that
  ///   where something has to.
  private func check(
    _ target: String, timeout: Double = 3600, trusting authorities: String? = nil
  ) async -> ChildProcess.Result {
    let arguments = [
      "--no-progress", "--timeout", "\(timeout)", "--max-size", "\(HostileBehaviour.largestBody)", target,
    ]
    return await ChildProcess(arguments, trusting: authorities).result()
  }

  private func expectClean(_ result: ChildProcess.Result, _ behaviour: String) {
    #expect(!result.wasKilled && (0...2).contains(result.status), "\(behaviour): \(result.status)")
    for text in [result.output] + result.errors {
      #expect(
        !text.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value)) },
        "\(behaviour)")
    }
  }

  @Test("whatever a server does, a check of it ends in order")
  func sites() async throws {
    // Not one test each, which would all run at once: so many children take more memory and descriptors than some
    // machines have.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, behaviour) in HostileBehaviour.tested.filter({ $0.method == "GET" }).enumerated() {
        if index >= 8 { try await group.next() }
        group.addTask { try await checkSite(behaviour) }
      }
      try await group.waitForAll()
    }
  }

  private func checkSite(_ behaviour: HostileBehaviour) async throws {
    let server = try HostileServer()
    let result = await check(server.url(behaviour), timeout: behaviour.endings == [.endless] ? 0.2 : 3600)
    expectClean(result, behaviour.name)
    // With the status 2, one line tells why, and there is no report.
    if result.status == 2 {
      #expect(result.output == "", "\(behaviour)")
      #expect(
        result.errors.last?.hasPrefix("linkcheck: cannot ") == true
          || result.errors.last?.hasPrefix("linkcheck: not a page ") == true,
        "\(behaviour): \(result.errors)")
    } else {
      #expect(result.output.contains(" page"), "\(behaviour)")
    }
    let isFine = behaviour.endings.allSatisfy { if case .answer = $0 { true } else { false } }
    if !isFine, behaviour.endings.count == 1,
      !behaviour.endings.contains(where: { if case .status = $0 { true } else { false } })
    {
      #expect(result.status != 0, "\(behaviour): \(result.output) \(result.errors)")
    }
    await server.stop()
  }

  @Test(
    "a server that answers HEAD with a body, at once or later, makes no link look broken",
    arguments: [false, true])
  func headWithBody(isLater: Bool) async throws {
    let server = try LoopbackServer { connection in
      let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"
      while connection.readHead() != nil {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(missing.utf8.count)\r\n\r\n")
        if isLater { _ = connection.waitsForInput(milliseconds: 10) }
        connection.write(missing)
      }
    }
    let folder = try TemporaryFolder()
    try folder.write((0..<60).map { "<\(server.url("/\($0)"))>\n" }.joined(), to: "links.md")
    let result = await check(folder.path)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("60 links: "), "\(result.output)")
    await server.stop()
  }

  @Test("links to all that a server does are judged in one check")
  func links() async throws {
    let server = try HostileServer()
    let folder = try TemporaryFolder()
    let urls = HostileBehaviour.tested.map { server.url($0) }
    try folder.write(urls.map { "<\($0)>\n" }.joined(), to: "links.md")
    let result = await check(folder.path, timeout: 0.2)
    expectClean(result, "all")
    #expect(result.status == 1)
    #expect(result.output.contains("1 page, \(urls.count) links: "), "\(result.output.suffix(200))")
    await server.stop()
  }

  #if !canImport(Darwin)
  @Test(
    "whatever a server does over HTTP/2, a check of it ends in order",
    .enabled(if: TLSRelay.shared != nil, "there is no openssl or no python3 to speak TLS"))
  func sitesOverHTTP2() async throws {
    let relay = try #require(TLSRelay.shared)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, behaviour) in HTTP2Behaviour.tested.filter({ $0.method == "GET" }).enumerated() {
        if index >= 8 { try await group.next() }
        group.addTask {
          let server = try HTTP2Server(behaviour)
          let port = try #require(relay.port(for: server.port))
          let result = await check(
            "https://127.0.0.1:\(port)/", timeout: behaviour.endings.contains(.endless) ? 0.2 : 3600,
            trusting: relay.authority)
          expectClean(result, behaviour.name)
          // No answer is a page: the first is hostile, those after it have no type.
          #expect(result.status == 2 && result.output == "", "\(behaviour): \(result.output)")
          #expect(result.errors.last?.hasPrefix("linkcheck: ") == true, "\(behaviour): \(result.errors)")
          // What is ended by time may be ended before it has begun.
          #expect(behaviour.endings.contains(.endless) || !server.requests.isEmpty, "\(behaviour)")
          await server.stop()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "links to servers that err over HTTP/2 once are fine, also where HEAD is answered with a body",
    .enabled(if: TLSRelay.shared != nil, "there is no openssl or no python3 to speak TLS"))
  func linksOverHTTP2() async throws {
    let relay = try #require(TLSRelay.shared)
    // An answer of 304 to what asked for no version is none. What never ends is ended by time, which on a slow machine
    // ends the second request too.
    let behaviours = HTTP2Behaviour.tested.filter { $0.endings.isDisjoint(with: [.status(304), .endless]) }
    let servers = try behaviours.map { try HTTP2Server($0) }
    let folder = try TemporaryFolder()
    let ports = servers.compactMap { relay.port(for: $0.port) }
    try folder.write(ports.map { "<https://127.0.0.1:\($0)/>\n" }.joined(), to: "links.md")
    let result = await check(folder.path, trusting: relay.authority)
    expectClean(result, "all")
    #expect(result.output.contains("1 page, \(servers.count) links: "), "\(result.output.suffix(200))")
    #expect(result.status == 0, "\(result.output)")
    for server in servers {
      #expect(!server.requests.isEmpty)
      await server.stop()
    }
  }
  #endif
}
