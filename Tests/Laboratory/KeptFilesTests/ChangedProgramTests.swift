import Foundation
import Millrace
import MillraceStorage
import MillraceTrace
import TestSupport
import Testing

@Suite("A file says what a later version of a program does otherwise, or why it cannot be used")
struct ChangedProgramTests {
  private let folder: TemporaryFolder
  private let changed = Errands.LookupEffect { $0.uppercased() }

  init() throws { folder = try TemporaryFolder() }

  private func value(_ version: UInt32 = 1) async throws -> FileStorage<Errands.State> {
    let writer = FileStorage<Errands.State>(at: folder.file("value"), format: .json(version: version))
    try await writer.save(Errands.state, generation: 1)
    await writer.close()
    return FileStorage(at: folder.file("value"))
  }

  private func journal(_ version: UInt32 = 1) async throws -> JournalStorage<String, Int> {
    let writer = JournalStorage<String, Int>(at: folder.file("journal"), format: .json(version: version))
    try await writer.append(Errands.entries.mapValues { .set($0) })
    await writer.close()
    return JournalStorage(at: folder.file("journal"))
  }

  private func recording() async throws -> String {
    let path = folder.file("recording")
    try await Errands.record(to: .file(path))
    return path
  }

  private func verify(
    _ storage: FileStorage<Errands.State>, _ effect: Errands.LookupEffect = Errands.LookupEffect()
  ) async throws(KeptFileFailure) {
    try await storage.verify(effect, asksFor: Errands.lookups) { $0.value ?? Errands.State() }
  }

  private func verify(
    _ storage: JournalStorage<String, Int>, _ effect: Errands.LookupEffect = Errands.LookupEffect()
  ) async throws(KeptFileFailure) {
    try await storage.verify(effect, asksFor: Errands.lookups) { Errands.state(of: $0.entries) }
  }

  private func replay(_ path: String, _ effect: Errands.LookupEffect = Errands.LookupEffect()) throws
    -> ReplayVerdict
  {
    try Replay(of: path, reduce: Errands.reduce) { $0.connect(effect, named: "lookups") }.verdict()
  }

  /// What a verification throws, without the folder.
  private func failure(_ verify: () async throws -> Void) async -> String {
    let error = await #expect(throws: (any Error).self) { try await verify() }
    return error.map { "\($0)" }?.replacing(folder.path + "/", with: "") ?? ""
  }

  @Test("a request that has changed is named, and the file is as it was")
  func changedRequest() async throws {
    let (value, journal) = (try await value(), try await journal())
    try await verify(value)
    try await verify(journal)
    let difference = """
      LookupEffect does not ask for Lookup(title: "bread"); \
      LookupEffect asks for Lookup(title: "BREAD"), which is not expected
      """
    #expect(await failure { try await verify(value, changed) } == "\(difference): value")
    #expect(await failure { try await verify(journal, changed) } == "\(difference): journal")
  }

  @Test("a request of a recording that has changed is named with its action")
  func changedRecording() async throws {
    let path = try await recording()
    #expect(try replay(path).isSame)
    guard case .requestsDiffer(let difference) = try replay(path, changed) else {
      Issue.record("\(try replay(path, changed))")
      return
    }
    #expect(difference.action.contains("wanted") && difference.action.contains("milk"), "\(difference)")
    #expect(difference.lines.contains { $0.contains(#""MILK""#) }, "\(difference)")
  }

  @Test("a damaged file is named with its damage, and not moved")
  func damaged() async throws {
    let (value, journal, recording) = (try await value(), try await journal(), try await recording())
    for name in ["value", "journal", "recording"] {
      var bytes = try folder.read(name)
      let text = try #require(bytes.range(of: Data("bread".utf8)))
      bytes[text.lowerBound] ^= 1
      try folder.write(bytes, to: name)
    }
    let names = folder.names
    #expect(await failure { try await verify(value) } == "damaged, differs from its checksum: value")
    #expect(await failure { try await verify(journal) } == "damaged, differs from its checksum: journal")
    #expect(folder.names == names)
    #expect("\(try replay(recording))".hasPrefix("damaged after line "))
    #expect("\(try replay(recording))".contains("differs from its checksum"))
  }

  @Test("a file of something else says so", arguments: ["a letter\n", "{\"a\": 1}\n"])
  func foreign(text: String) async throws {
    for name in ["value", "journal", "recording"] { try folder.write(Data(text.utf8), to: name) }
    let value = FileStorage<Errands.State>(at: folder.file("value"))
    let journal = JournalStorage<String, Int>(at: folder.file("journal"))
    #expect(await failure { try await verify(value) } == "not written by this program: value")
    #expect(await failure { try await verify(journal) } == "not written by this program: journal")
    let recording = await failure { _ = try replay(folder.file("recording")) }
    #expect(recording.hasPrefix("recording:1: is no header of a recording"))
    #expect(folder.names == ["journal", "recording", "value"])
  }

  @Test("a file that is not there says so")
  func missing() async throws {
    let value = FileStorage<Errands.State>(at: folder.file("value"))
    let journal = JournalStorage<String, Int>(at: folder.file("journal"))
    #expect(await failure { try await verify(value) } == "there is no file: value")
    #expect(await failure { try await verify(journal) } == "there is no file: journal")
    #expect(await failure { _ = try replay(folder.file("recording")) }.contains("recording"))
    #expect(folder.names.isEmpty)
  }

  @Test("a file of a newer version names both versions")
  func newer() async throws {
    let (value, journal) = (try await value(2), try await journal(2))
    let text = "written by a newer version of the program, 2 where 1 is known"
    #expect(await failure { try await verify(value) } == "\(text): value")
    #expect(await failure { try await verify(journal) } == "\(text): journal")
    try folder.write(Data("{\"millrace-trace\": 2}\n".utf8), to: "recording")
    let recording = await failure { _ = try replay(folder.file("recording")) }
    #expect(recording == "recording:1: is of version 2 of the format, and this program reads 1")
  }

  @Test("a type that does not decode any more says where")
  func undecodable() async throws {
    struct Renamed: Codable, Equatable { var titles: [String] }
    _ = (try await value(), try await journal())
    let value = FileStorage<Renamed>(at: folder.file("value"))
    let journal = JournalStorage<String, Renamed>(at: folder.file("journal"))
    let failures = [
      await failure { try await value.verify(Errands.LookupEffect(), asksFor: []) { _ in Errands.State() } },
      await failure {
        try await journal.verify(Errands.LookupEffect(), asksFor: []) { _ in Errands.State() }
      },
    ]
    #expect(failures[0].hasPrefix("intact, and cannot be decoded (") && failures[0].contains("titles"))
    #expect(failures[1].hasPrefix("intact, and cannot be decoded (at byte "), "\(failures[1])")
  }
}
