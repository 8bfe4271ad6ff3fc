import Foundation
import Millrace
import MillraceDescriptors
import TestSupport
import Testing

@testable import MillraceStorage

@Suite struct FileStorageTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("notes") }

  init() throws { folder = try TemporaryFolder() }

  private func storage(version: UInt32 = 1) -> FileStorage<[String]> {
    FileStorage(at: path, format: .json(version: version))
  }

  /// Saves values as generations 1, 2, …, and lets go of the file.
  private func save(_ values: [String]...) async throws {
    let storage = storage()
    for (index, value) in values.enumerated() {
      try await storage.save(value, generation: UInt64(index + 1))
    }
    await storage.close()
  }

  @Test("an empty place is no failure")
  func empty() async throws {
    #expect(try await storage().load() == StoredValue())
  }

  @Test("what was saved last is loaded, with its generation")
  func roundTrip() async throws {
    try await save(["a"], ["a", "b"])
    #expect(try await storage().load() == StoredValue(value: ["a", "b"], generation: 2, source: .current))
    #expect(folder.names == ["notes", "notes.lock", "notes.previous"])
  }

  @Test("a damaged file is set aside, the generation before is used, and both are told")
  func damaged() async throws {
    try await save(["a"], ["b"])
    let bytes = try folder.read("notes").dropLast()
    try folder.write(bytes, to: "notes")
    let file = DamagedFile(
      path: path, setAsideAs: path + ".damaged", reason: .wrongLength(expected: 5, found: 4))
    #expect(
      try await storage().load()
        == StoredValue(value: ["a"], generation: 1, source: .previous, damaged: [file]))
    #expect(try folder.read("notes.damaged") == bytes)
    #expect(!folder.names.contains("notes"))
  }

  @Test("after a recovery, saving goes on, and what was recovered is the generation before")
  func continues() async throws {
    try await save(["a"], ["b"])
    try folder.write(Data(), to: "notes")
    let storage = storage()
    _ = try await storage.load()
    try await storage.save(["c"], generation: 2)
    await storage.close()
    try folder.write(Data(), to: "notes")
    let again = try await self.storage().load()
    #expect(again.value == ["a"])
    #expect(again.damaged.map(\.setAsideAs) == [path + ".damaged-2"])
  }

  @Test("a damaged file that has the name of a damaged one already is moved, too, and saving goes on")
  func twoNames() async throws {
    try await save(["a"])
    let bytes = try folder.read("notes").dropLast()
    try folder.write(bytes, to: "notes")
    try FileManager.default.linkItem(atPath: path, toPath: path + ".damaged")
    let storage = storage()
    #expect(try await storage.load().damaged.map(\.setAsideAs) == [path + ".damaged"])
    #expect(!folder.names.contains("notes"))
    try await storage.save(["b"], generation: 2)
    await storage.close()
    #expect(try await self.storage().load().value == ["b"])
    #expect(try folder.read("notes.damaged") == bytes)
  }

  @Test("where both generations are damaged, both are kept aside and nothing is loaded")
  func bothDamaged() async throws {
    try await save(["a"], ["b"])
    try folder.write(folder.read("notes") + [0], to: "notes")
    try folder.write(Data("y".utf8), to: "notes.previous")
    let stored = try await storage().load()
    #expect(stored.value == nil && stored.source == .nowhere)
    #expect(stored.damaged.map(\.setAsideAs) == [path + ".damaged", path + ".previous.damaged"])
  }

  @Test("every save over a file is refused until the file is loaded")
  func notLoaded() async throws {
    try await save(["a"], ["b"])
    let bytes = try [folder.read("notes"), folder.read("notes.previous")]
    let storage = storage()
    for generation: UInt64 in 3...5 {
      await #expect(throws: StorageFailure.notLoaded(path)) {
        try await storage.save(["c"], generation: generation)
      }
    }
    #expect(try [folder.read("notes"), folder.read("notes.previous")] == bytes)
    #expect(folder.names == ["notes", "notes.lock", "notes.previous"])
    _ = try await storage.load()
    try await storage.save(["c"], generation: 3)
    #expect(try await storage.load().value == ["c"])
  }

  @Test("a save is refused where the generation before alone is there, or what is there is damaged")
  func notLoadedRest() async throws {
    try await save(["a"], ["b"])
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: StorageFailure.notLoaded(path)) { try await storage().save(["c"], generation: 3) }
    try folder.write(folder.read("notes.previous") + [0], to: "notes.previous")
    let bytes = try folder.read("notes.previous")
    await #expect(throws: StorageFailure.notLoaded(path)) { try await storage().save(["c"], generation: 3) }
    #expect(try folder.read("notes.previous") == bytes)
  }

  @Test("a save is refused after the storage was closed, since others may have had the file")
  func closed() async throws {
    let storage = storage()
    try await storage.save(["a"], generation: 1)
    await storage.close()
    await #expect(throws: StorageFailure.notLoaded(path)) { try await storage.save(["b"], generation: 2) }
  }

  @Test("an intact file of another type is set aside, not lost")
  func notDecodable() async throws {
    let numbers = FileStorage<Int>(at: path)
    try await numbers.save(7, generation: 1)
    await numbers.close()
    let stored = try await storage().load()
    guard case .notDecodable = stored.damaged.first?.reason else {
      Issue.record("\(stored)")
      return
    }
    #expect(stored.value == nil)
    #expect(folder.names.contains("notes.damaged"))
  }

  @Test("a file of a newer version is left alone, by loads and by saves")
  func newerVersion() async throws {
    let newer = storage(version: 2)
    try await newer.save(["future"], generation: 9)
    await newer.close()
    let bytes = try folder.read("notes")
    let old = storage()
    let failure = StorageFailure.newerVersion(path, found: 2, known: 1)
    await #expect(throws: failure) { try await old.load() }
    await #expect(throws: failure) { try await old.save(["past"], generation: 10) }
    #expect(try folder.read("notes") == bytes)
    #expect(folder.names == ["notes", "notes.lock"])
  }

  @Test("a file of an older version is decoded as such")
  func olderVersion() async throws {
    try await save(["a"])
    let format = StorageFormat<[String]>(
      version: 2, encode: { _ in Data() },
      decode: { data, version in
        try JSONDecoder().decode([String].self, from: data) + ["was version \(version)"]
      })
    #expect(try await FileStorage(at: path, format: format).load().value == ["a", "was version 1"])
  }

  @Test("a value that cannot be encoded is a failure, and what is stored stays")
  func notEncodable() async throws {
    let numbers = FileStorage<Double>(at: path)
    try await numbers.save(1, generation: 1)
    do throws(StorageFailure) {
      try await numbers.save(.nan, generation: 2)
      Issue.record("encoded")
    } catch {
      guard case .notEncodable = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(try await numbers.load() == StoredValue(value: 1, generation: 1, source: .current))
  }

  @Test("a file that somebody took away is written again")
  func takenAway() async throws {
    let storage = storage()
    try await storage.save(["a"], generation: 1)
    try FileManager.default.removeItem(atPath: path)
    try await storage.save(["b"], generation: 2)
    #expect(try await storage.load().value == ["b"])
  }

  // MARK: Places

  @Test("a folder that does not exist is told")
  func noFolder() async {
    let storage = FileStorage<Int>(at: folder.file("no/where"))
    await #expect(throws: StorageFailure.noSuchFolder(folder.file("no"))) { try await storage.load() }
    await #expect(throws: StorageFailure.noSuchFolder(folder.file("no"))) {
      try await storage.save(1, generation: 1)
    }
  }

  @Test("a link to a folder that does not exist is no folder")
  func danglingFolder() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("gone"))
    let (disk, path) = (PosixDisk(), folder.file("link/where"))
    let failure = StorageFailure.noSuchFolder(folder.file("link"))
    #expect(throws: failure) { try disk.open(path) }
    #expect(throws: failure) { try disk.identity(of: path) }
    await #expect(throws: failure) { try await FileStorage<Int>(at: path).load() }
  }

  @Test("a missing file is not reported as a missing folder")
  func missingFile() {
    let disk = PosixDisk()
    for failure in [
      #expect(throws: StorageFailure.self) { try disk.rename(folder.file("gone"), to: path) },
      #expect(throws: StorageFailure.self) { try disk.link(folder.file("gone"), to: path) },
    ] {
      guard case .unreadable(_, errorNumber: ENOENT) = failure else {
        Issue.record("\(String(describing: failure))")
        continue
      }
    }
  }

  @Test(
    "a name as long as the system allows has room for what is kept beside it", arguments: [240, 250, 255])
  func longName(length: Int) async throws {
    for name in [String(repeating: "n", count: length), String(repeating: "é", count: length / 2)] {
      let path = folder.file(name)
      let storage = FileStorage<[String]>(at: path)
      for generation: UInt64 in 1...3 { try await storage.save(["\(generation)"], generation: generation) }
      await storage.close()
      // The current one and the one before are damaged, and each is set aside.
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where try folder.read(file).count > 20 {
        try folder.write(try folder.read(file).dropLast(), to: file)
      }
      let stored = try await storage.load()
      #expect(stored.value == nil && stored.damaged.count == 2)
      try await storage.save(["4"], generation: 4)
      try await storage.remove()
      #expect(Set(stored.damaged.map(\.setAsideAs)).count == 2)
      let journal = JournalStorage<String, String>(at: path)
      try await journal.append(["a": .set("b")])
      try await journal.compact()
      #expect(try await journal.load().entries == ["a": "b"])
      try await journal.remove()
    }
  }

  @Test("what is beside a file with a long name has a name of its own, in the same folder")
  func neighbours() {
    let names = [100, 242, 250, 255].flatMap { length in
      ["a", "é", "漢", "🐟"].flatMap { character -> [String] in
        let name = String(repeating: character, count: length / character.utf8.count)
        return [name, String(name.dropLast()) + "b"]
      }
    }
    let neighbours = names.flatMap { name in
      [".lock", ".new", ".previous.new"].map { neighbour(of: "/a/\(name)", $0) }
    }
    #expect(Set(neighbours).count == neighbours.count)
    #expect(
      neighbours.allSatisfy { $0.hasPrefix("/a/") && $0.utf8.count <= 255 + 3 && !$0.contains("\u{FFFD}") })
    #expect(neighbour(of: "file", ".lock") == "file.lock")
    #expect(neighbour(of: String(repeating: "x", count: 250), ".lock").utf8.count == 255)
    #expect(neighbour(of: String(repeating: "x", count: 251), ".lock").utf8.count == 255)
  }

  @Test("a folder in the place of the file is told")
  func isFolder() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let storage = storage()
    await #expect(throws: StorageFailure.isDirectory(path)) { try await storage.load() }
    await #expect(throws: StorageFailure.isDirectory(path)) { try await storage.save([], generation: 1) }
  }

  @Test("a full disk is told", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func diskFull() {
    #expect(throws: StorageFailure.diskFull("/dev/full")) {
      try PosixFile(open("/dev/full", O_WRONLY), path: "/dev/full").write(Data([1]), at: 0)
    }
  }

  // MARK: The lock

  @Test("a second storage on the same file gets nothing until the first is closed, or gone")
  func locked() async throws {
    let second = storage()
    var first: FileStorage? = storage()
    _ = try await first?.load()
    await #expect(throws: StorageFailure.locked(path + ".lock")) { try await second.load() }
    await #expect(throws: StorageFailure.locked(path + ".lock")) { try await second.save([], generation: 1) }
    await first?.close()
    _ = try await second.load()
    await second.close()
    _ = try await first?.load()
    first = nil
    // The queue lets go of its last work a moment after that work has answered.
    try await inTime { while (try? await second.load()) == nil { await Task.yield() } }
  }
}
