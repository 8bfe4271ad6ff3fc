import Foundation
import MillraceStorage
import TestSupport
import Testing

@Suite struct ForeignFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("notes") }

  init() throws { folder = try TemporaryFolder() }

  private func storage() -> FileStorage<[String]> { FileStorage(at: path) }

  @Test("a file that is somebody else's is left alone, by loads, saves and removals")
  func foreign() async throws {
    try folder.write(Data("precious".utf8), to: "notes")
    let storage = storage()
    let failure = StorageFailure.foreignFile(path)
    await #expect(throws: failure) { try await storage.load() }
    await #expect(throws: failure) { try await storage.save(["a"], generation: 1) }
    await #expect(throws: failure) { try await storage.remove() }
    #expect(try folder.read("notes") == Data("precious".utf8))
    #expect(folder.names == ["notes", "notes.lock"])
  }

  @Test("a file of somebody else where the generation before is to be is left alone")
  func foreignPrevious() async throws {
    try folder.write(Data("precious".utf8), to: "notes.previous")
    let failure = StorageFailure.foreignFile(path + ".previous")
    await #expect(throws: failure) { try await storage().load() }
    let second = storage()
    await #expect(throws: StorageFailure.self) { try await second.save(["a"], generation: 1) }
    #expect(try folder.read("notes.previous") == Data("precious".utf8))
  }

  @Test("where the generation before is this storage's, the file is damaged and not somebody else's")
  func beginningDamaged() async throws {
    let storage = storage()
    try await storage.save(["a"], generation: 1)
    try await storage.save(["b"], generation: 2)
    await storage.close()
    try folder.write(Data("M1LLRACE and so on".utf8), to: "notes")
    let stored = try await self.storage().load()
    #expect(stored.value == ["a"] && stored.source == .previous)
    #expect(stored.damaged.map(\.reason) == [.notThisFormat])
  }

  @Test("a layout of the header that is not known is somebody else's, too")
  func otherLayout() async throws {
    let storage = storage()
    try await storage.save(["a"], generation: 1)
    await storage.close()
    var bytes = try folder.read("notes")
    bytes[11] = 2
    try folder.write(bytes, to: "notes")
    await #expect(throws: StorageFailure.foreignFile(path)) { try await self.storage().load() }
    #expect(try folder.read("notes") == bytes)
  }

  @Test("an empty file is nobody's", arguments: ["notes", "notes.previous"])
  func empty(name: String) async throws {
    try folder.write(Data(), to: name)
    let storage = storage()
    let stored = try await storage.load()
    #expect(stored.value == nil && stored.damaged.map(\.path) == [folder.file(name)])
    try await storage.save(["a"], generation: 1)
    #expect(try await storage.load().value == ["a"])
  }
}
