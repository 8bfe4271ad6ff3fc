import Foundation
import MillraceStorage
import TestSupport
import Testing

@Suite struct MigrationTests {
  private struct V1: Codable, Equatable { var text: String }
  private struct V2: Codable, Equatable { var lines: [String] }
  private struct V3: Codable, Equatable { var lines: [String], title: String }
  private struct Refused: Error {}

  private static let first = StorageFormat<V1>.json()
  private static let second = first.migrating(to: V2.self) { V2(lines: [$0.text]) }
  private static let third = second.migrating(to: V3.self) { old in
    guard old.lines != ["refused"] else { throw Refused() }
    return V3(lines: old.lines, title: "of \(old.lines.count)")
  }
  /// The same type with another meaning.
  private static let fourth = third.migrating { (old: V3) in
    V3(lines: old.lines, title: old.title.uppercased())
  }

  private let folder: TemporaryFolder
  private var path: String { folder.file("notes") }

  init() throws { folder = try TemporaryFolder() }

  private func write(version: Int, text: String = "a", generation: UInt64 = 7) async throws {
    switch version {
    case 1: try await write(V1(text: text), Self.first, generation)
    case 2: try await write(V2(lines: [text]), Self.second, generation)
    case 3: try await write(V3(lines: [text], title: "of 1"), Self.third, generation)
    default: try await write(V3(lines: [text], title: "OF 1"), Self.fourth, generation)
    }
  }

  private func write<Value>(_ value: Value, _ format: StorageFormat<Value>, _ generation: UInt64) async throws
  {
    let storage = FileStorage(at: path, format: format)
    _ = try await storage.load()
    try await storage.save(value, generation: generation)
    await storage.close()
  }

  @Test("a file of any older version is loaded through all the steps between", arguments: 1...4)
  func migrated(from version: Int) async throws {
    try await write(version: version)
    #expect(try folder.read("notes")[15] == version)
    let storage = FileStorage(at: path, format: Self.fourth)
    let value = V3(lines: ["a"], title: "OF 1")
    #expect(try await storage.load() == StoredValue(value: value, generation: 7, source: .current))
    #expect(try folder.read("notes")[15] == version)
    try await storage.save(value, generation: 8)
    #expect(try folder.read("notes")[15] == 4)
    #expect(try await storage.load() == StoredValue(value: value, generation: 8, source: .current))
  }

  @Test("the generation before is migrated, of another version than the damaged one", arguments: 1...3)
  func migratedPrevious(from version: Int) async throws {
    try await write(version: version, text: "before", generation: 1)
    try await write(version: version + 1, text: "damaged", generation: 2)
    try folder.write(folder.read("notes").dropLast(), to: "notes")
    let stored = try await FileStorage(at: path, format: Self.fourth).load()
    #expect(stored.value == V3(lines: ["before"], title: "OF 1") && stored.source == .previous)
  }

  @Test("a file that a step refuses is left alone, by loads and by saves")
  func refused() async throws {
    try await write(version: 1, text: "refused")
    let bytes = try folder.read("notes")
    let storage = FileStorage(at: path, format: Self.fourth)
    let failure = StorageFailure.notMigratable(path, from: 1, reason: "Refused()")
    await #expect(throws: failure) { try await storage.load() }
    await #expect(throws: failure) { try await storage.save(V3(lines: [], title: ""), generation: 8) }
    #expect(try folder.read("notes") == bytes)
    #expect(folder.names == ["notes", "notes.lock"])
  }

  @Test("a file of a newer version is left alone by every older program", arguments: 2...4)
  func newer(version: UInt32) async throws {
    try await write(version: Int(version))
    let bytes = try folder.read("notes")
    let storage = FileStorage(at: path, format: Self.first)
    let failure = StorageFailure.newerVersion(path, found: version, known: 1)
    await #expect(throws: failure) { try await storage.load() }
    await #expect(throws: failure) { try await storage.save(V1(text: ""), generation: 8) }
    await #expect(throws: failure) { try await storage.remove() }
    #expect(try folder.read("notes") == bytes)
  }

  @Test("a generation before of a newer version is not lost to the saves of an older program")
  func newerPrevious() async throws {
    try await write(version: 2, generation: 1)
    try await write(version: 2, generation: 2)
    try folder.write(Data(), to: "notes")
    let storage = FileStorage(at: path, format: Self.first)
    let failure = StorageFailure.newerVersion(path + ".previous", found: 2, known: 1)
    for generation: UInt64 in 1...2 {
      await #expect(throws: failure) { try await storage.save(V1(text: ""), generation: generation) }
    }
    #expect(try folder.read("notes.previous")[15] == 2)
  }

  @Test("a version older than the oldest is not taken for another one")
  func tooOld() async throws {
    try await write(version: 1)
    struct Lenient: Codable { var text: String? }
    let storage = FileStorage<Lenient>(at: path, format: .json(version: 3, oldestVersion: 2))
    let failure = StorageFailure.notMigratable(path, from: 1, reason: "the oldest known version is 2")
    await #expect(throws: failure) { try await storage.load() }
    #expect(folder.names.contains("notes"))
  }
}
