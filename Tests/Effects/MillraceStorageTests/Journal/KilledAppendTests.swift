import Foundation
import TestSupport
import Testing

@testable import MillraceStorage
@testable import storageprobe

@Suite struct KilledAppendTests {
  @Test(
    "killed at random moments while it appends, a program finds what was acknowledged, or more, and no damage",
    arguments: [true, false])
  func killed(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder(isInMemory: isInMemory)
    let path = folder.file("numbers")
    let (appended, violations) = try await onOwnThread { () -> (Int, [String]) in
      var random = SystemRandomNumberGenerator()
      var acknowledged = 0
      var violations: [String] = []
      for round in 1...TestSize.count(10, full: 100) {
        let child = try ProbeProcess("append", path)
        var lines: [String] = []
        for _ in 0..<Int.random(in: 0...20, using: &random) { lines.append(child.line() ?? "ended") }
        spin(turns: Int.random(in: 0...100_000, using: &random))
        child.kill()
        lines += child.lines()
        violations += lines.filter { Int($0) == nil }
        acknowledged = max(acknowledged, lines.compactMap { Int($0) }.max() ?? 0)
        var files = JournalFiles<Int, Int>(path, format: .json(), disk: PosixDisk())
        let stored = try files.load()
        files.close()
        let last = stored.entries[-1000] ?? 0
        var expected = last == 0 ? [:] : [-1000: last]
        if last > 0 { for number in max(1, last - 19)...last { expected[number] = number } }
        if last < acknowledged || stored != StoredEntries(entries: expected) {
          violations.append("round \(round), \(acknowledged) acknowledged: \(stored)")
        }
        acknowledged = max(acknowledged, last)
      }
      return (acknowledged, violations)
    }
    #expect(violations.isEmpty)
    #expect(appended > TestSize.count(0, full: 100))
  }
}
