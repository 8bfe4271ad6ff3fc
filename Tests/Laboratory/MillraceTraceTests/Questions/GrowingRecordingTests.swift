import Foundation
import Millrace
import MillraceTrace
import TestSupport
import Testing

@testable import MillraceCommand

#if os(Linux) || os(macOS)
@Suite("A recording that grows", .timeLimit(.minutes(10)))
struct GrowingRecordingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Unexpected: Error, CustomStringConvertible {
    var description: String
  }

  /// The numbers of the actions that are new in it, and what else it tells.
  private func news(_ recording: inout GrowingRecording) throws -> (actions: [UInt64], missing: [UInt64]) {
    var (actions, missing): ([UInt64], [UInt64]) = ([], [])
    while true {
      switch recording.next() {
      case .line(.action(let line)): actions.append(line.sequence)
      case .line: break
      case .missing(let part): missing.append(part)
      case .damage(let text): throw Unexpected(description: text)
      case .nothing: return (actions, missing)
      }
    }
  }

  private func store() -> Store<Int, Int> { Store(initialState: 0) { $0 += $1 } }

  private func send(_ count: Int, to store: Store<Int, Int>, _ recording: TraceRecording) async throws {
    for _ in 0..<count {
      await store.send(1)
      try await recording.flush()
    }
  }

  @Test("what was written to many files between two looks is read, in order")
  func rotated() async throws {
    let store = store()
    let recording = try store.record(to: .file(folder.file("a"), rotatingAt: 2_000, keeping: 100))
    var growing = GrowingRecording(path: folder.file("a"))
    var seen: [UInt64] = []
    for count in [1, 200, 0, 3, 300] {
      try await send(count, to: store, recording)
      let (actions, missing) = try news(&growing)
      #expect(missing.isEmpty)
      seen += actions
    }
    #expect(seen == Array(1...504))
    #expect(try FileTests.read(folder.file("a")).header.part > 10)
  }

  @Test("the page that follows has every line, however fast the recording goes on in new files")
  func followed() async throws {
    let store = store()
    let recording = try store.record(to: .file(folder.file("a"), rotatingAt: 2_000, keeping: 100))
    let file = FollowedFile(path: folder.file("a"))
    var growing = GrowingRecording(path: folder.file("a"))
    for count in [1, 100, 200] {
      try await send(count, to: store, recording)
      while file.take(from: &growing) {}
    }
    let lines = file.lines(of: 1, from: 0, until: .distantPast)
    let header = PageLines.bytes(of: .header(try #require(file.beginning).header))
    let text = TraceHistory(try TraceText(header + lines.bytes))
    #expect(text.actions.keys.sorted() == Array(1...301))
    #expect(file.damage == nil)
  }

  @Test("files that are not kept are told, each once, and the rest is read")
  func missing() async throws {
    let store = store()
    let recording = try store.record(to: .file(folder.file("a"), rotatingAt: 2_000, keeping: 2))
    var growing = GrowingRecording(path: folder.file("a"))
    try await send(1, to: store, recording)
    #expect(try news(&growing).actions == [1])
    try await send(199, to: store, recording)
    let part = try FileTests.read(folder.file("a")).header.part
    let (actions, missing) = try news(&growing)
    // The first file was still open. Two are kept beside the newest.
    #expect(missing == Array(2..<part - 2))
    #expect(actions.last == 200)
    #expect(actions == actions.sorted())
  }

  @Test("damage is told with the part in which it is")
  func damaged() async throws {
    let store = store()
    let recording = try store.record(to: .file(folder.file("a"), rotatingAt: 2_000, keeping: 2))
    try await send(100, to: store, recording)
    let part = try FileTests.read(folder.file("a")).header.part
    let file = try #require(FileHandle(forWritingAtPath: folder.file("a")))
    try file.seekToEnd()
    try file.write(contentsOf: Data("x\n".utf8))
    var growing = GrowingRecording(path: folder.file("a"))
    let error = #expect(throws: Unexpected.self) { try news(&growing) }
    #expect(error?.description.hasPrefix("\(folder.file("a")), part \(part), line ") == true)
  }

  @Test("a recording in place of another is read from its beginning, without files of the old one")
  func replaced() async throws {
    var growing = GrowingRecording(path: folder.file("a"))
    #expect(try news(&growing).actions.isEmpty)
    for count in [3, 5] {
      let store = store()
      let recording = try store.record(to: .file(folder.file("a")))
      try await send(count, to: store, recording)
      let (actions, missing) = try news(&growing)
      #expect(actions == Array(1...UInt64(count)))
      #expect(missing.isEmpty)
      await store.shutdown()
      _ = try news(&growing)
    }
    // A program that is begun again and writes many files before the next look.
    let store = store()
    let recording = try store.record(to: .file(folder.file("a"), rotatingAt: 2_000, keeping: 2))
    try await send(200, to: store, recording)
    let (actions, missing) = try news(&growing)
    #expect(missing.isEmpty)
    #expect(actions.last == 200)
  }

  @Test("a half-written line waits, and a damaged one is told with its place")
  func incomplete() async throws {
    let store = store()
    let recording = try store.record(to: .file(folder.file("whole")))
    try await send(4, to: store, recording)
    await store.shutdown()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole")))
    var growing = GrowingRecording(path: folder.file("b"))
    var seen: [UInt64] = []
    // Within a line: a line without its end is a whole one, too.
    let half = try #require(bytes[(bytes.count / 2)...].firstIndex(of: UInt8(ascii: "\n"))) + 5
    for end in [1, half, bytes.count - 3] {
      // Written in place, so that it is the same file.
      if let file = FileHandle(forWritingAtPath: folder.file("b")) {
        try file.write(contentsOf: bytes.prefix(end))
      } else {
        try folder.write(Data(bytes.prefix(end)), to: "b")
      }
      seen += try news(&growing).actions
      #expect(growing.incompleteLine != nil)
    }
    #expect(seen == Array(1...4))
    let file = try #require(FileHandle(forWritingAtPath: folder.file("b")))
    try file.seekToEnd()
    try file.write(contentsOf: Data("x\n".utf8))
    #expect(throws: Unexpected.self) { try news(&growing) }
  }
}
#endif
