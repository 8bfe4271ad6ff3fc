import Foundation
import TestSupport
import Testing

@testable import MillraceStorage

/// Ten thousand damaged files, the same in every run.
@Suite struct DamagedFilesTests {
  /// What came of the loads of one part, which tells that no case was missed.
  private struct Tally {
    var intact = 0
    var recovered = 0
    var lost = 0
    var refused = 0
  }

  @Test(
    "of very many damaged files each gives the generation before or a clear error, and no wrong value",
    arguments: 1...TestSize.count(2, full: 10))
  func damaged(part: Int) throws {
    let folder = try TemporaryFolder(isInMemory: true)
    var random = SeededGenerator(seed: UInt64(part))
    var tally = Tally()
    for number in 1...1000 {
      let damage = Damage.allCases[number % Damage.allCases.count]
      try load(folder, folder.file("\(number)"), damage, using: &random, &tally)
    }
    #expect(tally.recovered > 500 && tally.lost > 100 && tally.refused > 3, "\(tally)")
  }

  private func load(
    _ folder: TemporaryFolder, _ path: String, _ damage: Damage, using random: inout SeededGenerator,
    _ tally: inout Tally
  ) throws {
    let values = (0..<2).map { _ in
      (0..<Int.random(in: 0...80, using: &random)).map { _ in Int.random(in: 0...999, using: &random) }
    }
    let records = try values.enumerated().map { index, value in
      StorageRecord(version: 1, generation: UInt64(index + 1), payload: try JSONEncoder().encode(value)).bytes
    }
    let bytes = damage.inflicted(on: records[1], using: &random)
    let hasPrevious = Int.random(in: 0..<8, using: &random) > 0
    let isPreviousDamaged = Int.random(in: 0..<8, using: &random) == 0
    let before = isPreviousDamaged ? damage.inflicted(on: records[0], using: &random) : records[0]
    try bytes.write(to: URL(fileURLWithPath: path))
    if hasPrevious { try before.write(to: URL(fileURLWithPath: path + ".previous")) }

    var files = StorageFiles<[Int]>(path, format: .json(), disk: PosixDisk())
    defer { files.close() }
    let stored: StoredValue<[Int]>
    do throws(StorageFailure) { stored = try files.load() } catch {
      tally.refused += 1
      #expect(error == .foreignFile(path))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      #expect(!hasPrevious || before != records[0], "the generation before is intact")
      return
    }
    if bytes == records[1] {
      tally.intact += 1
      #expect(stored == StoredValue(value: values[1], generation: 2, source: .current))
      return
    }
    #expect(stored.damaged.first?.path == path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged")) == bytes)
    if hasPrevious, before == records[0] {
      tally.recovered += 1
      #expect(stored.source == .previous && stored.generation == 1 && stored.value == values[0])
      #expect(stored.damaged.count == 1)
    } else {
      tally.lost += 1
      #expect(stored.source == .nowhere && stored.value == nil)
      #expect(stored.damaged.count == (hasPrevious ? 2 : 1))
    }
  }
}
