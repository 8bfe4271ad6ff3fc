import Foundation
import TestSupport
import Testing

@testable import MillraceStorage
@testable import storageprobe

@Suite struct KilledSaveTests {
  @Test(
    "killed at random moments while it saves, a program finds what was acknowledged, or a newer value",
    arguments: [true, false])
  func killed(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder(isInMemory: isInMemory)
    let path = folder.file("numbers")
    let (saved, violations) = try await onOwnThread { () -> (UInt64, [String]) in
      var random = SystemRandomNumberGenerator()
      var acknowledged: UInt64 = 0
      var violations: [String] = []
      for round in 1...TestSize.count(10, full: 100) {
        let child = try ProbeProcess("save", path)
        var lines: [String] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) { lines.append(child.line() ?? "ended") }
        spin(turns: Int.random(in: 0...100_000, using: &random))
        child.kill()
        lines += child.lines()
        violations += lines.filter { UInt64($0) == nil }
        acknowledged = max(acknowledged, lines.compactMap(UInt64.init).max() ?? 0)
        var files = StorageFiles<[Int]>(path, format: .json(), disk: PosixDisk())
        let stored = try files.load()
        files.close()
        let isRight = stored.generation == 0 || stored.value == Probe.value(stored.generation)
        if stored.generation < acknowledged || !isRight || !stored.damaged.isEmpty {
          violations.append("round \(round), \(acknowledged) acknowledged: \(stored)")
        }
        acknowledged = max(acknowledged, stored.generation)
      }
      return (acknowledged, violations)
    }
    #expect(violations.isEmpty)
    #expect(saved > TestSize.count(0, full: 100))
  }
}

/// Lets some time pass, of no certain length.
func spin(turns: Int) {
  var word: UInt64 = 1
  for _ in 0..<turns { word = word &* 6_364_136_223_846_793_005 &+ 1 }
  withExtendedLifetime(word) {}
}
