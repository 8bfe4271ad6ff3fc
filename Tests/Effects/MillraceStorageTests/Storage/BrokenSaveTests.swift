import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceStorage

/// Saves that are broken off at every step there is.
@Suite struct BrokenSaveTests {
  private static let stepsOfOneSave = 9

  private func files(_ path: String, on disk: any Disk) -> StorageFiles<[String]> {
    StorageFiles(path, format: .json(), disk: disk)
  }

  @Test(
    "wherever a process dies within a save, the old value or the new one is there, whole",
    arguments: 0...stepsOfOneSave, [0, 20, 45])
  func died(after step: Int, partOfWrite: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes")
    var before = files(path, on: PosixDisk())
    try before.save(["a"], generation: 1)
    try before.save(["b"], generation: 2)
    before.close()

    // The steps with which a failed save tidies up fail as well, as if nobody were there to make them.
    var dying = files(
      path, on: ScriptedDisk(failingAfter: step, with: .diskFull(""), partOfWrite: partOfWrite))
    _ = try dying.load()
    let survived = (try? dying.save(["c"], generation: 3)) != nil
    dying.close()

    var after = files(path, on: PosixDisk())
    let stored = try after.load()
    #expect(stored.damaged.isEmpty)
    #expect(stored.source == .current)
    #expect(stored.value == (stored.generation == 3 ? ["c"] : ["b"]))
    #expect(survived == (step == Self.stepsOfOneSave))
    if survived { #expect(stored.generation == 3) }
    try after.save(["d"], generation: 4)
    #expect(try after.load().value == ["d"])
    #expect(folder.names == ["notes", "notes.lock", "notes.previous"])
  }

  @Test("a save that fails leaves what was stored, leaves nothing lying about, and may be made again")
  func failedOnce() throws {
    for step in 0..<Self.stepsOfOneSave - 1 {
      let folder = try TemporaryFolder()
      let steps = Lock(-5)  // of which there are six in the first save
      var files = files(
        folder.file("notes"),
        on: ScriptedDisk { _ throws(StorageFailure) in
          let isBroken = steps.withLock { steps in
            steps += 1
            return steps == step + 2
          }
          if isBroken { throw .diskFull("here") }
        })
      try files.save(["a"], generation: 1)
      #expect(throws: StorageFailure.diskFull("here")) { try files.save(["b"], generation: 2) }
      #expect(try files.load().value == ["a"])
      #expect(folder.names.filter { $0.hasSuffix(".new") }.isEmpty)
      try files.save(["b"], generation: 2)
      #expect(try files.load().value == ["b"])
    }
  }
}
