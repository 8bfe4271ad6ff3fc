import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceTrace

@Suite("Recordings in files")
struct FileTests {
  static func read(_ path: String) throws -> TraceText {
    try TraceText(contentsOf: path)
  }

  @Test("the variable that asks for a recording names its place and its snapshots")
  func asked() throws {
    func words(_ value: String) throws -> String {
      let (destination, every) = try TraceDestination.asked(by: value)
      return switch destination.kind {
      case .file(let path, _, _): "file \(path) \(every)"
      case .ring(let path, _): "ring \(path) \(every)"
      case .memory: "memory"
      }
    }
    #expect(try words("trace.jsonl") == "file trace.jsonl 64")
    #expect(try words("ring:trace") == "ring trace 64")
    #expect(try words("snapshotEvery=1:trace.jsonl") == "file trace.jsonl 1")
    #expect(try words("snapshotEvery=8:ring:a:b") == "ring a:b 8")
    #expect(try words("ring:snapshotEvery=8:a") == "ring a 8")
    for wrong in [
      "snapshotEvery=0:a", "snapshotEvery=x:a", "snapshotEvery=1", "snapshotEvery=1:", "snapshotEvery=",
    ] {
      #expect(throws: TraceFailure.self, "\(wrong)") { try words(wrong) }
    }
  }

  @Test("a scope, which has no recording, leaves the file that is there")
  func scope() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("kept".utf8), to: "trace.jsonl")
    let store = Shop.store()
    #expect(throws: TraceFailure.self) {
      try store.scope(\.wanted).record(to: .file(folder.file("trace.jsonl")))
    }
    #expect(try folder.read("trace.jsonl") == Data("kept".utf8))
  }

  @Test("a pipe, a device or a link is refused, and is still there", arguments: ["pipe", "link"])
  func noFile(name: String) async throws {
    let folder = try TemporaryFolder()
    let (path, target) = (folder.file(name), folder.file("target"))
    try folder.write(Data("kept".utf8), to: "target")
    if name == "pipe" { #expect(mkfifo(path, 0o600) == 0) } else { #expect(symlink(target, path) == 0) }
    let files = FileManager.default
    let kind = try files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    let problem = TraceFailure("\(path) cannot be written: it is no regular file")
    let store = Shop.store()
    #expect(throws: problem) { try store.record(to: .file(path)) }
    #expect(throws: problem) { try store.record(to: .ring(path)) }
    let memory = TraceMemory()
    let recording = try store.record(to: .memory(memory), snapshotEvery: 1)
    try await recording.finish()
    let replay = try Replay<Shop.State, Shop.Action>(of: memory, reduce: Shop.reduce) { Shop.connect($0) }
    #expect(throws: problem) { try replay.fill(to: path) }
    #expect(try files.attributesOfItem(atPath: path)[.type] as? FileAttributeType == kind)
    #expect(try folder.read("target") == Data("kept".utf8))
  }

  @Test("a file is its owner's alone, and complete when it is flushed")
  func file() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace.jsonl")
    let store = Shop.store()
    let recording = try store.record(to: .file(path))
    for number in 0..<10 { await store.send(.auditAsked(number)) }
    try await recording.flush()
    #expect(try Self.read(path).actions.count >= 10)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    await store.settled()
    await store.shutdown()
    #expect(try Self.read(path).actions.count == 20)
  }

  @Test("a recording goes on in new files, of which each can be read alone and some are kept")
  func rotation() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace.jsonl")
    let store = Shop.store()
    let recording = try store.record(to: .file(path, rotatingAt: 4000, keeping: 2))
    for number in 0..<300 {
      await store.send(.auditAsked(number))
      if number % 10 == 0 { try await recording.flush() }
    }
    try await recording.finish()
    #expect(!FileManager.default.fileExists(atPath: path + ".3"))
    let files = try [path + ".2", path + ".1", path].map(Self.read)
    #expect(files.map(\.header.part) == Array(files[0].header.part..<files[0].header.part + 3))
    #expect(files[0].header.part > 1)
    for file in files { #expect(file.snapshots.first?.whole != nil) }
    for (one, next) in zip(files, files.dropFirst()) {
      let last = try #require(one.actions.last?.sequence)
      #expect(next.actions.first.map { $0.sequence == last + 1 } ?? true)
      #expect(next.snapshots.first?.sequence == last)
    }
  }

  /// An action whose encoding waits, on the recording's queue.
  private struct Held: Encodable {
    let number: Int
    var semaphore: DispatchSemaphore?

    func encode(to encoder: any Encoder) throws {
      semaphore?.wait()
      try number.encode(to: encoder)
    }
  }

  @Test("a recording that writes much at once goes on in a new file just as early")
  func rotationOfOneBatch() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace.jsonl")
    let semaphore = DispatchSemaphore(value: 0)
    let store = Store(initialState: 0) { (last: inout Int, action: Held) in last = action.number }
    let recording = try store.record(
      to: .file(path, rotatingAt: 2000, keeping: 50), snapshotEvery: 1, verifies: false)
    await store.send(Held(number: 0, semaphore: semaphore))
    for number in 1...60 { await store.send(Held(number: number)) }
    semaphore.signal()
    try await recording.flush()
    let last = try Self.read(path)
    #expect(last.header.part > 3)
    for number in 1..<last.header.part {
      let bytes = try Data(contentsOf: URL(filePath: "\(path).\(number)"))
      #expect(2000..<3000 ~= bytes.count, "\(bytes.count) bytes")
    }
  }

  @Test("a ring holds the last lines, with the header and a snapshot")
  func ring() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ring")
    let store = Shop.store()
    let recording = try store.record(to: .ring(path, bytes: 64 << 10))
    for number in 0..<20 {
      await store.send(.auditAsked(number))
    }
    try await recording.flush()
    let few = try Self.read(path)
    #expect(few.actions.first?.sequence == 1)
    for number in 0..<2000 {
      await store.send(.auditAsked(number % 10))
      if number % 10 == 0 { try await recording.flush() }
    }
    try await recording.flush()
    let text = try Self.read(path)
    #expect(text.damage == nil)
    #expect(text.tornLine == nil)
    #expect(text.header.state == "Shop.State")
    let numbers = text.actions.map(\.sequence)
    #expect(numbers.first! > 1)
    #expect(numbers == Array(numbers.first!...numbers.last!))
    #expect(text.snapshots.contains { $0.whole != nil })
  }

  @Test("a ring that is read while it is written has no damage: what was written over is left out")
  func ringReadMeanwhile() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ring")
    let store = Shop.store()
    let recording = try store.record(to: .ring(path, bytes: 64 << 10))
    for number in 0..<600 { await store.send(.auditAsked(number)) }
    try await recording.finish()
    let whole = try folder.read("ring")
    // Read from the first byte to the last, while half of the lines are written over.
    let image = Array(whole)
    let counters = RingImage.writtenOffset..<RingImage.reservedOffset + 8
    let now = RingImage.number(at: RingImage.reservedOffset, of: image)
    var torn = image
    torn.replaceSubrange(
      counters,
      with: [now - 30_000, now - 30_000].flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      })
    #expect(try TraceText(torn).damage != nil)
    #expect(RingImage.leaveOutOverwritten(of: &torn, seenIn: whole.prefix(RingImage.page)))
    let text = try TraceText(torn)
    #expect(text.damage == nil)
    #expect(!text.lines.isEmpty)
    torn.replaceSubrange(counters, with: [UInt8](repeating: 0, count: 16))
    #expect(!RingImage.leaveOutOverwritten(of: &torn, seenIn: whole.prefix(RingImage.page)))
  }
}
