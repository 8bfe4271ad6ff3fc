import Foundation
import MillraceStorage
import TestSupport
import Testing

@Suite struct JournalVersionTests {
  private struct Refused: Error {}

  private static let first = JournalFormat<String, Int>.json()
  private static let second = first.migrating(to: String.self) { number in
    guard number >= 0 else { throw Refused() }
    return "number \(number)"
  }
  private static let third = second.migrating(to: [String].self) { [$0] }

  private let folder: TemporaryFolder
  private var path: String { folder.file("pages") }
  init() throws { folder = try TemporaryFolder() }

  private func files<Value>(_ format: JournalFormat<String, Value>) -> JournalStorage<String, Value> {
    JournalStorage(at: path, format: format)
  }

  private func write(_ entries: [String: Int]) async throws {
    let files = files(Self.first)
    try await files.append(entries.mapValues { .set($0) })
    await files.close()
  }

  @Test("entries of older versions are loaded through all the steps between")
  func migrated() async throws {
    try await write(["a": 1, "b": 2])
    let bytes = try folder.read("pages")
    let files = files(Self.third)
    #expect(try await files.load() == StoredEntries(entries: ["a": ["number 1"], "b": ["number 2"]]))
    #expect(try folder.read("pages") == bytes, "a load changes nothing")
    await files.close()
    #expect(try await self.files(Self.first).loaded().entries == ["a": 1, "b": 2])
  }

  @Test("the first append after that makes all entries of the new version")
  func rewritten() async throws {
    try await write(["a": 1, "b": 2])
    let files = files(Self.third)
    _ = try await files.load()
    try await files.append(["c": .set(["new"]), "b": .removed])
    await files.close()
    let lenient = JournalFormat<String, [String]>.json(version: 3, oldestVersion: 3)
    #expect(try await self.files(lenient).loaded().entries == ["a": ["number 1"], "c": ["new"]])
  }

  @Test("a file with an entry of a newer version is left alone by loads, appends and removals")
  func newer() async throws {
    let newer = files(Self.third)
    try await newer.append(["a": .set(["new"])])
    await newer.close()
    let bytes = try folder.read("pages")
    let old = files(Self.second)
    let failure = StorageFailure.newerVersion(path, found: 3, known: 2)
    await #expect(throws: failure) { try await old.load() }
    await #expect(throws: StorageFailure.notLoaded(path)) { try await old.append(["b": .set("old")]) }
    await #expect(throws: failure) { try await old.remove() }
    #expect(try folder.read("pages") == bytes)
    #expect(folder.names == ["pages", "pages.lock"])
  }

  @Test("a file that a step refuses is left alone, and so is one of a version that is too old")
  func notMigratable() async throws {
    try await write(["a": -1])
    let bytes = try folder.read("pages")
    let files = files(Self.second)
    await #expect(throws: StorageFailure.notMigratable(path, from: 1, reason: "Refused()")) {
      try await files.load()
    }
    await files.close()
    let strict = self.files(JournalFormat<String, Int>.json(version: 3, oldestVersion: 2))
    let failure = StorageFailure.notMigratable(path, from: 1, reason: "the oldest known version is 2")
    await #expect(throws: failure) { try await strict.load() }
    #expect(try folder.read("pages") == bytes && folder.names == ["pages", "pages.lock"])
  }

  @Test("an intact entry of another type is told, and the file with it is kept aside")
  func notDecodable() async throws {
    try await write(["a": 1])
    let bytes = try folder.read("pages")
    let files = files(JournalFormat<String, [String]>.json())
    let stored = try await files.load()
    guard case .notDecodable = stored.damaged.first?.reason else {
      Issue.record("\(stored)")
      return
    }
    #expect(stored.entries.isEmpty)
    try await files.append(["b": .set(["new"])])
    await files.close()
    #expect(try folder.read("pages.damaged") == bytes)
    #expect(try await files.load() == StoredEntries(entries: ["b": ["new"]]))
  }
}

extension JournalStorage {
  /// What is stored now.
  fileprivate func loaded() async throws -> StoredEntries<Key, Value> {
    let entries = try await load()
    await close()
    return entries
  }
}
