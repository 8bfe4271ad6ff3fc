import DemoSite
import Foundation
import TestSupport
import Testing

@testable import linkcheck

// The limit is for a child that hangs, on however slow a machine; none is waited for by the clock.
@Suite("The progress file that nobody named", .serialized, .timeLimit(.minutes(30)))
struct ProgressFileTests {
  private let server: DemoServer
  private let caches: TemporaryFolder

  init() throws {
    server = try DemoServer()
    caches = try TemporaryFolder()
  }

  /// A check that keeps its progress in this test's folder for caches.
  private func start() -> ChildProcess {
    ChildProcess(
      ["--timeout", "3600", server.origin],
      through: "XDG_CACHE_HOME='\(caches.path)' exec \"$0\" \"$@\"")
  }

  private var name: String { "linkcheck/" + ProgressFile.name(for: server.origin + "/") }

  #if os(Linux)
  @Test(
    "a second check while the first runs goes on without, and leaves the first one's progress and lock alone")
  func twoAtOnce() async throws {
    defer { server.stop() }
    server.hold("/guide/")
    let first = start()
    try #require(await first.errorLine { (ProgressLine($0)?.saved ?? 0) > 10 } != nil)
    let kept = try Data(contentsOf: URL(fileURLWithPath: caches.file(name)))
    // The page is held back for the second too, which cannot end before it is stopped.
    let second = start()
    let line = await second.errorLine { $0.contains("progress cannot be kept") }
    #expect(
      line == "linkcheck: progress cannot be kept: in use by another process: \(caches.file(name)).lock")
    try await second.send(SIGTERM)
    let stopped = await second.result()
    #expect(stopped.errors.last?.contains("progress is kept") == false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: caches.file(name))).count >= kept.count)
    #expect(FileManager.default.fileExists(atPath: caches.file(name) + ".lock"))
    server.release("/guide/")
    #expect(await first.result().status == 1)
    #expect(!FileManager.default.fileExists(atPath: caches.file(name)))
    #expect(!FileManager.default.fileExists(atPath: caches.file(name) + ".lock"))
  }

  @Test("a check that ends beside another one leaves its files alone too")
  func endsBeside() async throws {
    defer { server.stop() }
    server.hold("/flaky")
    let first = start()
    try #require(await first.errorLine { (ProgressLine($0)?.saved ?? 0) > 10 } != nil)
    let second = start()
    try #require(await second.errorLine { $0.contains("progress cannot be kept") } != nil)
    try await first.stop()
    server.release("/flaky")
    #expect(await second.result().status == 1)
    #expect(FileManager.default.fileExists(atPath: caches.file(name)))
    #expect(FileManager.default.fileExists(atPath: caches.file(name) + ".lock"))
    try await first.send(SIGCONT)
    #expect(await first.result().status == 1)
  }

  @Test("a file that is somebody else's stays as it is, and the check is made without it")
  func foreign() async throws {
    defer { server.stop() }
    try caches.write("precious", to: name)
    let result = await start().result()
    #expect(result.status == 1)
    #expect(result.errors.contains { $0.contains("progress cannot be kept: is no progress file: ") })
    #expect(try String(contentsOfFile: caches.file(name), encoding: .utf8) == "precious")
  }

  @Test("a damaged file is told and set aside, and the check is made")
  func damaged() async throws {
    defer { server.stop() }
    server.hold("/guide/")
    let first = start()
    try #require(await first.errorLine { (ProgressLine($0)?.saved ?? 0) > 10 } != nil)
    try await first.send(SIGKILL)
    _ = await first.result()
    server.release("/guide/")
    let path = caches.file(name)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data[data.count / 8] ^= 1
    try data.write(to: URL(fileURLWithPath: path))
    let second = await start().result()
    #expect(second.status == 1)
    #expect(second.errors.contains { $0.contains("is damaged; it has been kept as ") }, "\(second.errors)")
  }
  #endif
}
