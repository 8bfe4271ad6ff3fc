import DemoSite
import Foundation
import MillraceEffects
import MillraceHTTP
import TestSupport
import Testing

@testable import linkcheck

// The limit is for a child that hangs, on however slow a machine; none is waited for by the clock.
@Suite("The command", .serialized, .timeLimit(.minutes(30)))
struct CommandRunTests {
  private func links(_ json: String, origin: String) throws -> Set<String> {
    let written = try WrittenReport(json)
    return Set(written.broken.map { "\($0.page.replacing(origin, with: "")) \($0.link)" })
  }

  private func seeded(neighbour: String, offline: Bool = false) -> Set<String> {
    Set(
      DemoSite(neighbour: neighbour).brokenLinks.filter { !(offline && $0.isRemote) }.map {
        "\($0.page) \($0.link)"
      })
  }

  @Test("on the demo site, exactly the seeded broken links are found", arguments: [false, true])
  func demo(offline: Bool) async throws {
    let result = await ChildProcess(
      ["--json", "--no-progress", "--timeout", "3600"] + (offline ? ["--offline"] : [])
    ).result()
    #expect(result.status == 0, "\(result.errors)")
    let expected = seeded(neighbour: Check.neighbourOrigin, offline: offline)
    #expect(try links(result.output, origin: Check.demoOrigin) == expected)
    #expect(
      result.errors.last
        == "linkcheck: demo: found exactly the \(expected.count) links that were seeded as broken")
    let written = try WrittenReport(result.output)
    #expect(written.unchecked.map(\.page).map { $0.hasSuffix("/huge") } == [true])
    #expect(written.skipped == (offline ? 2 : 0))
  }

  @Test("a site is checked by its URL, broken links make the status 1, and each path is asked for once")
  func site() async throws {
    let server = try DemoServer()
    defer { server.stop() }
    let result = await ChildProcess.run("--json", "--no-progress", "--timeout", "3600", server.origin)
    #expect(result.status == 1, "\(result.errors)")
    #expect(
      try links(result.output, origin: server.origin) == seeded(neighbour: "http://localhost:\(server.port)"))
    // What fails for a while is tried three times; `HEAD` where it is refused is followed by `GET`.
    let expected = [
      "/flaky": 2, "/error": 3, "/cut": 3, "/neighbour/closed": 2, "/img/missing.png": 2,
    ]
    for (path, count) in server.requestCounts { #expect(count == expected[path, default: 1], "\(path)") }
  }

  @Test("a folder is checked, and without broken links the status is 0")
  func folder() async throws {
    let folder = try TemporaryFolder()
    try folder.write("# A\n[b](sub/b.html#x)\n[c](http://127.0.0.1:1/)", to: "a.md")
    try folder.write("<p id=x><a href='../a.md#a'>", to: "sub/b.html")
    let good = await ChildProcess.run("--offline", "--no-progress", folder.path)
    #expect((good.status, good.output) == (0, "2 pages, 2 links: none broken, 1 skipped\n"))
    try folder.write("[x](nowhere.md)", to: "c.md")
    let bad = await ChildProcess.run("--offline", "--no-progress", folder.path)
    #expect(bad.status == 1)
    #expect(bad.output.hasPrefix("\(folder.path)/c.md:1: nowhere.md: no such file\n"))
    let one = await ChildProcess.run("--offline", "--no-progress", folder.file("a.md"))
    #expect((one.status, one.output) == (0, "1 page, 1 link: none broken, 1 skipped\n"))
  }

  @Test("the demo site is served until a signal comes")
  func serving() async throws {
    let child = ChildProcess("--serve")
    let url = try #require(await child.firstOutputLine())
    let response = try await HTTPClient().load(HTTPRequest(url, timeout: nil))
    #expect(response.status == 200)
    try await child.send(SIGTERM)
    #expect(await child.result().status == 143)
  }

  @Test("help and version go to standard output")
  func help() async throws {
    let help = await ChildProcess.run("--help")
    #expect((help.status, help.output, help.errors) == (0, Usage.text + "\n", []))
    #expect(await ChildProcess.run("--version").output == "linkcheck \(Linkcheck.version)\n")
  }
}
