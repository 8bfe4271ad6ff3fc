import Foundation
import Millrace
import MillraceStorage
import TestSupport
import Testing

@testable import storageprobe

@Suite struct KilledSaveTests {
  private let random = Lock(SystemRandomNumberGenerator())

  /// Has a program write, kills it, and returns the numbers that it has acknowledged, and what it has said besides.
  private func killed(_ command: String, _ path: String, atMost lineCount: Int) async throws -> (
    [UInt64], [String]
  ) {
    let (count, turns) = random.withLock {
      (Int.random(in: 0...lineCount, using: &$0), Int.random(in: 0...100_000, using: &$0))
    }
    let lines = try await onOwnThread {
      let child = try ProbeProcess(command, path)
      let lines = (0..<count).map { _ in child.line() ?? "ended" }
      spin(turns: turns)
      child.kill()
      return lines + child.lines()
    }
    return (lines.compactMap { UInt64($0) }, lines.filter { UInt64($0) == nil })
  }

  @Test(
    "killed at random moments while it saves, a program finds what was acknowledged, or a newer value",
    arguments: [true, false])
  func saved(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder(isInMemory: isInMemory)
    let storage = FileStorage<[Int]>(at: folder.file("numbers"))
    var acknowledged: UInt64 = 0
    for round in 1...TestSize.count(10, full: 100) {
      let (numbers, others) = try await killed("save", folder.file("numbers"), atMost: 6)
      #expect(others.isEmpty)
      acknowledged = max(acknowledged, numbers.max() ?? 0)
      let stored = try await storage.load()
      await storage.close()
      #expect(stored.generation >= acknowledged && stored.damaged.isEmpty, "round \(round): \(stored)")
      #expect(stored.generation == 0 || stored.value == Probe.value(stored.generation), "round \(round)")
      acknowledged = stored.generation
    }
    #expect(acknowledged > TestSize.count(0, full: 100))
  }

  @Test(
    "killed at random moments while it appends, a program finds what was acknowledged, or more, and no damage",
    arguments: [true, false])
  func appended(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder(isInMemory: isInMemory)
    let storage = JournalStorage<Int, Int>(at: folder.file("numbers"))
    var acknowledged = 0
    for round in 1...TestSize.count(10, full: 100) {
      let (numbers, others) = try await killed("append", folder.file("numbers"), atMost: 20)
      #expect(others.isEmpty)
      acknowledged = max(acknowledged, Int(numbers.max() ?? 0))
      let stored = try await storage.load()
      await storage.close()
      let last = stored.entries[-1000] ?? 0
      var expected = last == 0 ? [:] : [-1000: last]
      if last > 0 { for number in max(1, last - 19)...last { expected[number] = number } }
      #expect(last >= acknowledged && stored == StoredEntries(entries: expected), "round \(round): \(stored)")
      acknowledged = last
    }
    #expect(acknowledged > TestSize.count(0, full: 100))
  }
}

/// Lets some time pass, of no certain length.
func spin(turns: Int) {
  var word: UInt64 = 1
  for _ in 0..<turns { word = word &* 6_364_136_223_846_793_005 &+ 1 }
  withExtendedLifetime(word) {}
}
