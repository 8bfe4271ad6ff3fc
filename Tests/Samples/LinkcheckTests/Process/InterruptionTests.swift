import DemoSite
import Foundation
import TestSupport
import Testing

// The limit is for a child that hangs, on however slow a machine; none is waited for by the clock.
@Suite("A check that is broken off", .serialized, .timeLimit(.minutes(30)))
struct InterruptionTests {
  private let server: DemoServer
  private let folder: TemporaryFolder

  init() throws {
    server = try DemoServer()
    folder = try TemporaryFolder()
  }

  private var progress: String { folder.file("p") }

  private func start() -> ChildProcess {
    // A page that is held back must not time out, however slow the machine.
    ChildProcess("--json", "--timeout", "3600", "--progress", progress, server.origin)
  }

  /// Starts a check, and waits until all that can be reached without one page has been looked at and kept.
  private func startAndReach(allBut path: String) async throws -> (ChildProcess, ProgressLine) {
    server.hold(path)
    let asked = server.requestCounts[path, default: 0]
    let child = start()
    let line = await child.errorLine {
      guard let line = ProgressLine($0) else { return false }
      // The first line, `0 of 1`, fits too.
      return line.known > 10 && line.checked == line.known - 1 && line.saved == line.checked
    }
    let reached = try #require(line.flatMap { ProgressLine($0) })
    // The server may not have read the request for that page yet.
    try await eventually { server.requestCounts[path, default: 0] > asked }
    return (child, reached)
  }

  @Test("killed midway and started again, it gives the same report and fetches nothing again that it had")
  func killed() async throws {
    defer { server.stop() }
    let reference = await start().result()
    #expect(reference.status == 1)
    let countsBefore = server.requestCounts

    let (child, reached) = try await startAndReach(allBut: "/blog/")
    try await child.send(SIGKILL)
    let killed = await child.result()
    #expect(killed.wasKilled && killed.status == SIGKILL)
    #expect(killed.output == "")
    let countsKilled = server.requestCounts
    server.release("/blog/")

    let second = await start().result()
    #expect(second.status == 1, "\(second.errors)")
    #expect(second.output == reference.output)
    #expect(second.errors.contains { $0.contains(" \(reached.checked) addresses are known") })
    let countsAfter = server.requestCounts
    let fetchedFirst = countsKilled.filter { $0.value > countsBefore[$0.key, default: 0] }.keys
    let fetchedSecond = countsAfter.filter { $0.value > countsKilled[$0.key, default: 0] }.keys
    #expect(fetchedFirst.count == reached.known)
    #expect(Set(fetchedFirst).intersection(fetchedSecond) == ["/blog/"])
    #expect(folder.names == [])
  }

  @Test("a signal stops it in order, with the status that tells which", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(signal: Int32) async throws {
    defer { server.stop() }
    let (child, reached) = try await startAndReach(allBut: "/guide/")
    try await child.send(signal)
    let stopped = await child.result()
    #expect(!stopped.wasKilled)
    #expect(stopped.status == 128 + signal)
    #expect(stopped.output == "")
    #expect(stopped.errors.last?.hasPrefix("linkcheck: stopped: \(reached.checked) of") == true)
    #expect(stopped.errors.last?.hasSuffix("progress is kept in \(progress)") == true)
    let counts = server.requestCounts
    server.release("/guide/")

    #expect(await start().result().status == 1)
    #expect(server.requestCounts["/about"] == counts["/about"])
    #expect(server.requestCounts["/guide/"] == 2)
  }

  @Test("a signal ends it too while it reads a page for minutes", arguments: ["[a](b) ", "[a](b)\n\n"])
  func slowPage(text: String) async throws {
    server.stop()
    try folder.write(String(repeating: text, count: (64 << 20) / text.utf8.count), to: "a.md")
    let child = ChildProcess(
      ["--no-progress", "--max-size", "\(1 << 30)", folder.file("a.md")])
    try #require(await child.errorLine { $0.contains("checking") } != nil)
    try await child.send(SIGINT)
    let stopped = await child.result()
    #expect(!stopped.wasKilled && stopped.status == 128 + SIGINT)
    #expect(stopped.errors.last == "linkcheck: stopped: 0 of 1 checked")
  }

  @Test("a hangup that it was told to ignore, as nohup does, stops nothing")
  func nohup() async throws {
    defer { server.stop() }
    server.hold("/guide/")
    let child = ChildProcess(
      ["--timeout", "3600", "--progress", progress, server.origin], through: "trap '' HUP; exec \"$0\" \"$@\""
    )
    try #require(await child.errorLine { (ProgressLine($0)?.checked ?? 0) > 10 } != nil)
    try await child.send(SIGHUP)
    server.release("/guide/")
    #expect(await child.result().status == 1)
  }

  @Test("the demo goes on too, though its port has changed")
  func demo() async throws {
    server.stop()
    func start(delay: Int) -> ChildProcess {
      ChildProcess(
        "--json", "--timeout", "3600", "--slow-demo", "\(delay)", "--jobs", "2", "--progress", progress)
    }
    let reference = await start(delay: 0).result()
    // The demo cannot be held back from here. Where it ends before enough is kept and the kill arrives, which
    // a slow disk brings about, a slower one is killed.
    var delay = 20
    while true {
      let child = start(delay: delay)
      try #require(await child.errorLine { (ProgressLine($0)?.saved ?? 0) >= 5 } != nil)
      try await child.send(SIGKILL)
      if await child.result().wasKilled { break }
      delay *= 2
    }

    let second = await start(delay: 0).result()
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.output == reference.output)
    let known = try #require(second.number(/kept progress: (\d+) addresses/))
    let asked = try #require(second.number(/asked (\d+) times/))
    let askedInAll = try #require(reference.number(/asked (\d+) times/))
    #expect(known >= 5)
    #expect(asked <= askedInAll - known)
  }

  @Test("a second check of the same progress file is refused while the first runs, and harms nothing")
  func twoAtOnce() async throws {
    defer { server.stop() }
    let (child, _) = try await startAndReach(allBut: "/guide/")
    let second = await start().result()
    #expect(second.status == 2)
    #expect(
      second.errors == ["linkcheck: progress cannot be kept: in use by another process: \(progress).lock"])
    server.release("/guide/")
    #expect(await child.result().status == 1)
  }
}

extension ChildProcess.Result {
  /// The number in the first line on standard error that has it.
  fileprivate func number(_ pattern: Regex<(Substring, Substring)>) -> Int? {
    errors.lazy.compactMap { $0.firstMatch(of: pattern).flatMap { Int($0.1) } }.first
  }
}
