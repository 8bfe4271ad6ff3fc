import Foundation
import HostileServer
import Testing

@testable import linkcheck

// The limit is for a child that hangs, on however slow a machine; none is waited for by the clock.
@Suite("Hostile sites", .serialized, .timeLimit(.minutes(30)))
struct HostileSiteTests {
  private func check(_ target: String, isEndless: Bool) async -> ChildProcess.Result {
    await ChildProcess.run(
      "--no-progress", "--timeout", isEndless ? "0.2" : "3600", "--max-size",
      "\(HostileBehaviour.largestBody)", target)
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
      for (index, behaviour) in HostileBehaviour.all.filter({ $0.method == "GET" }).enumerated() {
        if index >= 8 { try await group.next() }
        group.addTask { try await checkSite(behaviour) }
      }
      try await group.waitForAll()
    }
  }

  private func checkSite(_ behaviour: HostileBehaviour) async throws {
    let server = try HostileServer()
    let result = await check(server.url(behaviour), isEndless: behaviour.endings == [.endless])
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
    let result = await check(folder.path, isEndless: false)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("60 links: "), "\(result.output)")
    await server.stop()
  }

  @Test("links to all that a server does are judged in one check")
  func links() async throws {
    let server = try HostileServer()
    let folder = try TemporaryFolder()
    let urls = HostileBehaviour.all.map { server.url($0) }
    try folder.write(urls.map { "<\($0)>\n" }.joined(), to: "links.md")
    let result = await check(folder.path, isEndless: true)
    expectClean(result, "all")
    #expect(result.status == 1)
    #expect(result.output.contains("1 page, \(urls.count) links: "), "\(result.output.suffix(200))")
    await server.stop()
  }
}
