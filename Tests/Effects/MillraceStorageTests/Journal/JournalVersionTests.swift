import Foundation
import TestSupport
import Testing

@testable import MillraceStorage

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

  private func files<Value>(_ format: JournalFormat<String, Value>) -> JournalFiles<String, Value> {
    JournalFiles(path, format: format, disk: PosixDisk())
  }

  private func write(_ entries: [String: Int]) throws {
    var files = files(Self.first)
    try files.append(entries.map { ($0.key, .set($0.value)) })
    files.close()
  }

  @Test("entries of older versions are loaded through all the steps between")
  func migrated() throws {
    try write(["a": 1, "b": 2])
    let bytes = try folder.read("pages")
    var files = files(Self.third)
    #expect(try files.load() == StoredEntries(entries: ["a": ["number 1"], "b": ["number 2"]]))
    #expect(try folder.read("pages") == bytes, "a load changes nothing")
    files.close()
    #expect(try self.files(Self.first).loaded().entries == ["a": 1, "b": 2])
  }

  @Test("the first append after that makes all entries of the new version")
  func rewritten() throws {
    try write(["a": 1, "b": 2])
    var files = files(Self.third)
    _ = try files.load()
    try files.append([("c", .set(["new"])), ("b", .removed)])
    files.close()
    let lenient = JournalFormat<String, [String]>.json(version: 3, oldestVersion: 3)
    #expect(try self.files(lenient).loaded().entries == ["a": ["number 1"], "c": ["new"]])
  }

  @Test("a file with an entry of a newer version is left alone by loads, appends and removals")
  func newer() throws {
    var newer = files(Self.third)
    try newer.append([("a", .set(["new"]))])
    newer.close()
    let bytes = try folder.read("pages")
    var old = files(Self.second)
    let failure = StorageFailure.newerVersion(path, found: 3, known: 2)
    #expect(throws: failure) { try old.load() }
    #expect(throws: StorageFailure.notLoaded(path)) { try old.append([("b", .set("old"))]) }
    #expect(throws: failure) { try old.remove() }
    #expect(try folder.read("pages") == bytes)
    #expect(folder.names == ["pages", "pages.lock"])
  }

  @Test("a file that a step refuses is left alone, and so is one of a version that is too old")
  func notMigratable() throws {
    try write(["a": -1])
    let bytes = try folder.read("pages")
    var files = files(Self.second)
    #expect(throws: StorageFailure.notMigratable(path, from: 1, reason: "Refused()")) { try files.load() }
    files.close()
    var strict = self.files(JournalFormat<String, Int>.json(version: 3, oldestVersion: 2))
    let failure = StorageFailure.notMigratable(path, from: 1, reason: "the oldest known version is 2")
    #expect(throws: failure) { try strict.load() }
    #expect(try folder.read("pages") == bytes && folder.names == ["pages", "pages.lock"])
  }

  @Test("an intact entry of another type is told, and the file with it is kept aside")
  func notDecodable() throws {
    try write(["a": 1])
    let bytes = try folder.read("pages")
    var files = files(JournalFormat<String, [String]>.json())
    let stored = try files.load()
    guard case .notDecodable = stored.damaged.first?.reason else {
      Issue.record("\(stored)")
      return
    }
    #expect(stored.entries.isEmpty)
    try files.append([("b", .set(["new"]))])
    files.close()
    #expect(try folder.read("pages.damaged") == bytes)
    #expect(try files.load() == StoredEntries(entries: ["b": ["new"]]))
  }
}

extension JournalFiles {
  /// What is stored now.
  fileprivate func loaded() throws -> StoredEntries<Key, Value> {
    var files = self
    defer { files.close() }
    return try files.load()
  }
}
