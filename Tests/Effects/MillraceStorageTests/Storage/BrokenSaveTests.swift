import Foundation
import Millrace
import MillraceStorage
import TestSupport
import Testing

/// Saves that are broken off at every step there is.
@Suite struct BrokenSaveTests {
  private static let stepsOfOneSave = 9

  @Test(
    "wherever a process dies within a save, the old value or the new one is there, whole",
    arguments: 0...stepsOfOneSave, [0, 20, 45])
  func died(after step: Int, partOfWrite: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes")
    let before = FileStorage<[String]>(at: path)
    try await before.save(["a"], generation: 1)
    try await before.save(["b"], generation: 2)
    await before.close()

    // The steps with which a failed save tidies up fail as well, as if nobody were there to make them.
    let dying = FileStorage<[String]>.on(
      ScriptedDisk(failingAfter: step, with: .diskFull(""), partOfWrite: partOfWrite), at: path)
    _ = try await dying.load()
    let survived = (try? await dying.save(["c"], generation: 3)) != nil
    await dying.close()

    let after = FileStorage<[String]>(at: path)
    let stored = try await after.load()
    #expect(stored.damaged.isEmpty)
    #expect(stored.source == .current)
    #expect(stored.value == (stored.generation == 3 ? ["c"] : ["b"]))
    #expect(survived == (step == Self.stepsOfOneSave))
    if survived { #expect(stored.generation == 3) }
    try await after.save(["d"], generation: 4)
    #expect(try await after.load().value == ["d"])
    #expect(folder.names == ["notes", "notes.lock", "notes.previous"])
  }

  @Test("a save that fails leaves what was stored, leaves nothing lying about, and may be made again")
  func failedOnce() async throws {
    for step in 0..<Self.stepsOfOneSave - 1 {
      let folder = try TemporaryFolder()
      let steps = Lock(-5)  // of which there are six in the first save
      let disk = ScriptedDisk { _ throws(StorageFailure) in
        let isBroken = steps.withLock { steps in
          steps += 1
          return steps == step + 2
        }
        if isBroken { throw .diskFull("here") }
      }
      let files = FileStorage<[String]>.on(disk, at: folder.file("notes"))
      try await files.save(["a"], generation: 1)
      await #expect(throws: StorageFailure.diskFull("here")) { try await files.save(["b"], generation: 2) }
      #expect(try await files.load().value == ["a"])
      #expect(folder.names.filter { $0.hasSuffix(".new") }.isEmpty)
      try await files.save(["b"], generation: 2)
      #expect(try await files.load().value == ["b"])
    }
  }
}
