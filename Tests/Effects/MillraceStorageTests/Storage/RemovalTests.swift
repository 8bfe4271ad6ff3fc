import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceStorage

@Suite struct RemovalTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("notes") }
  init() throws { folder = try TemporaryFolder() }

  @Test("a removed value is gone with all that was kept beside it, and may be saved anew")
  func removed() async throws {
    let storage = FileStorage<Int>(at: path)
    try await storage.save(1, generation: 1)
    try await storage.save(2, generation: 2)
    try await storage.remove()
    #expect(folder.names.isEmpty)
    try await storage.remove()
    #expect(try await storage.load() == StoredValue())
    try await storage.save(3, generation: 3)
    #expect(try await storage.load().value == 3)
  }

  @Test("a save that comes after a removal does not bring the value back, until what is there was loaded")
  func lateSave() async throws {
    let storage = FileStorage<Int>(at: path)
    let journal = JournalStorage<Int, Int>(at: folder.file("journal"))
    try await storage.save(1, generation: 1)
    try await journal.append([1: .set(1)])
    try await storage.remove()
    try await journal.remove()
    for _ in 0..<2 {
      await #expect(throws: StorageFailure.notLoaded(path)) { try await storage.save(2, generation: 2) }
      await #expect(throws: StorageFailure.notLoaded(journal.path)) { try await journal.append([2: .set(2)]) }
      #expect(folder.names.isEmpty)
      await storage.close()
      await journal.close()
    }
    #expect(try await storage.load() == StoredValue())
    #expect(try await journal.load() == StoredEntries())
    try await storage.save(3, generation: 3)
    try await journal.append([3: .set(3)])
    #expect(try await storage.load().value == 3)
    #expect(try await journal.load().entries == [3: 3])
  }

  @Test("what is damaged is set aside by a removal, not lost")
  func damaged() async throws {
    try folder.write(Data("MILL".utf8), to: "notes")
    try await FileStorage<Int>(at: path).remove()
    #expect(folder.names == ["notes.damaged"])
  }

  @Test("wherever a removal is broken off, the newest value or nothing is there", arguments: 0...6)
  func brokenOff(after step: Int) throws {
    var files = StorageFiles<Int>(path, format: .json(), disk: PosixDisk())
    try files.save(1, generation: 1)
    try files.save(2, generation: 2)
    files.close()
    var dying = StorageFiles<Int>(
      path, format: .json(), disk: ScriptedDisk(failingAfter: step, with: .permission("")))
    let isDone = (try? dying.remove()) != nil
    dying.close()
    let stored = try files.load()
    #expect(stored.value == nil || stored == StoredValue(value: 2, generation: 2, source: .current))
    #expect(isDone == (step == 6))
    #expect(stored.value != nil || step >= 4)
    #expect(stored.damaged.isEmpty)
  }

  @Test("a lock file that its owner removed is no lock, whoever had it open already")
  func removedLock() throws {
    let disk = PosixDisk()
    let lockPath = path + ".lock"
    let first = try disk.lock(lockPath)
    let file = try #require(try disk.open(lockPath, O_RDONLY))
    #expect(try disk.isNamed(lockPath, file))
    try disk.remove(lockPath)
    #expect(try !disk.isNamed(lockPath, file))
    // What cannot be looked at is neither.
    #expect(throws: StorageFailure.self) { try disk.isNamed(lockPath, PosixFile(-1, path: lockPath)) }
    try folder.write(Data(), to: "file")
    #expect(throws: StorageFailure.noSuchFolder(folder.file("file"))) {
      try disk.isNamed(folder.file("file/lock"), file)
    }
    let second = try disk.lock(lockPath)
    #expect(try !disk.isNamed(lockPath, file))
    #expect(throws: StorageFailure.locked(lockPath)) { try disk.lock(lockPath) }
    withExtendedLifetime((first, second)) {}
  }
}
