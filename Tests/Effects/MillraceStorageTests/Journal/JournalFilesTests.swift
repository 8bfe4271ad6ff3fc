import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceStorage

@Suite struct JournalFilesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("pages") }
  init() throws { folder = try TemporaryFolder() }

  private func files(on disk: any Disk = PosixDisk()) -> JournalFiles<String, Int> {
    JournalFiles(path, format: .json(), disk: disk)
  }

  private func stored() throws -> StoredEntries<String, Int> {
    var files = files()
    defer { files.close() }
    return try files.load()
  }

  @Test("a value that cannot be encoded is told with its key, and nothing of its batch is written")
  func notEncodable() throws {
    var files = JournalFiles<String, Double>(path, format: .json(), disk: PosixDisk())
    defer { files.close() }
    try files.append([("a", .set(1))])
    let failure = #expect(throws: StorageFailure.self) {
      try files.append([("b", .set(2)), ("c", .set(.nan))])
    }
    #expect(failure?.description.hasPrefix("cannot be encoded: the entry of c: ") == true)
    #expect(try files.load().entries == ["a": 1])
  }

  @Test("what was appended is loaded, the newest value of each key, and appending goes on after a load")
  func continues() throws {
    var expected: [String: Int] = [:]
    for round in 0..<50 {
      var files = files()
      #expect(try files.load() == StoredEntries(entries: expected))
      for part in 0..<5 {
        try files.append([("\(part)", .set(round)), ("\(round).\(part)", .set(part))])
        try files.append([("\(round).\(part - 1)", .removed)])
        expected["\(part)"] = round
        expected["\(round).\(part)"] = part
        expected["\(round).\(part - 1)"] = nil
      }
      files.close()
    }
    #expect(try stored() == StoredEntries(entries: expected))
    #expect(folder.names == ["pages", "pages.lock"])
  }

  @Test("a file does not grow without bound, and its entries are the same after it was rewritten")
  func bounded() throws {
    var files = files()
    var largest = 0
    let count = TestSize.count(500, full: 3000)
    for number in 0..<count {
      try files.append([("\(number % 10)", .set(number))])
      largest = max(largest, try folder.read("pages").count)
    }
    files.close()
    #expect(largest < 65536)
    let expected = Dictionary(uniqueKeysWithValues: (count - 10..<count).map { ("\($0 % 10)", $0) })
    #expect(try stored() == StoredEntries(entries: expected))
  }

  @Test("a file that is cut anywhere is told, kept aside, and what can be read of it goes on")
  func cut() throws {
    var files = files()
    for number in 0..<5 { try files.append([("\(number)", .set(number))]) }
    files.close()
    let bytes = try folder.read("pages")
    for length in Array(0..<500) + [bytes.count - 1] {
      let folder = try TemporaryFolder(isInMemory: true)
      let path = folder.file("pages")
      try folder.write(bytes.prefix(length), to: "pages")
      var cut = JournalFiles<String, Int>(path, format: .json(), disk: PosixDisk())
      let stored = try cut.load()
      let file = DamagedFile(
        path: path, setAsideAs: path + ".damaged",
        reason: .wrongLength(expected: 4096, found: length))
      #expect(stored.damaged == [file])
      for (key, value) in stored.entries { #expect(key == "\(value)") }
      #expect(try cut.load().damaged == [file], "it is told again as long as nothing was added")
      try cut.append([("new", .set(9))])
      #expect(try folder.read("pages.damaged") == bytes.prefix(length))
      cut.close()
      var expected = stored.entries
      expected["new"] = 9
      #expect(try cut.load() == StoredEntries(entries: expected))
      #expect(folder.names == ["pages", "pages.damaged", "pages.lock"])
    }
  }

  @Test("an append to a file that was not loaded is refused")
  func notLoaded() throws {
    var first = files()
    try first.append([("a", .set(1))])
    first.close()
    let bytes = try folder.read("pages")
    for _ in 1...2 {
      #expect(throws: StorageFailure.notLoaded(path)) { try first.append([("b", .set(2))]) }
    }
    #expect(try folder.read("pages") == bytes)
    _ = try first.load()
    try first.append([("b", .set(2))])
    first.close()
    #expect(try stored().entries == ["a": 1, "b": 2])
  }

  @Test("a file that somebody else has is locked for loads and appends, until it is closed")
  func locked() throws {
    var (first, second) = (files(), files())
    try first.append([("a", .set(1))])
    let failure = StorageFailure.locked(path + ".lock")
    #expect(throws: failure) { try second.load() }
    #expect(throws: failure) { try second.append([("b", .set(2))]) }
    #expect(throws: failure) { try second.remove() }
    first.close()
    #expect(try second.load().entries == ["a": 1])
  }

  @Test("a journal that somebody took away is written again, with all that is in it")
  func takenAway() throws {
    var files = files()
    try files.append([("a", .set(1)), ("b", .set(2))])
    try FileManager.default.removeItem(atPath: path)
    try files.append([("b", .removed), ("c", .set(3))])
    files.close()
    #expect(try stored().entries == ["a": 1, "c": 3])
  }

  @Test(
    "a journal that somebody has replaced is not written to until it is loaded, also when that is gone again")
  func replaced() throws {
    var files = files()
    try files.append([("a", .set(1))])
    try FileManager.default.removeItem(atPath: path)
    try folder.write(Data("precious".utf8), to: "pages")
    #expect(throws: StorageFailure.foreignFile(path)) { try files.append([("b", .set(2))]) }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: StorageFailure.notLoaded(path)) { try files.append([("b", .set(2))]) }
    #expect(try files.load() == StoredEntries())
    try files.append([("b", .set(2))])
    files.close()
    #expect(try stored().entries == ["b": 2])
  }

  @Test("a journal that somebody cuts while it is open is not written to until it is loaded, which tells")
  func cutWhileOpen() throws {
    var files = files()
    for number in 1...3 { try files.append([("\(number)", .set(number))]) }
    #expect(truncate(path, 200) == 0)
    #expect(throws: StorageFailure.notLoaded(path)) { try files.append([("4", .set(4))]) }
    let stored = try files.load()
    #expect(stored.damaged.map(\.setAsideAs) == [path + ".damaged"])
    try files.append([("4", .set(4))])
    files.close()
    #expect(try self.stored().entries == stored.entries.merging(["4": 4]) { $1 })
  }

  @Test("an entry that is damaged while the file is open is not taken over into a new file")
  func damagedWhileOpen() throws {
    var files = files()
    try files.append([("a", .set(111_111)), ("b", .set(2))])
    var bytes = try folder.read("pages")
    let place = try #require(bytes.range(of: Data("111111".utf8)))
    bytes[place.lowerBound] ^= 1
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    try file.close()
    do throws(StorageFailure) {
      try files.compact()
      Issue.record("compacted")
    } catch {
      guard case .unreadable = error else { throw error }
    }
    #expect(try folder.read("pages") == bytes)
    #expect(try files.load().damaged.count == 1)
  }

  @Test("a removed journal is gone with all that was kept beside it, and may be written anew")
  func removed() throws {
    var files = files()
    try files.append([("a", .set(1))])
    try folder.write(Data("MRJ1".utf8), to: "pages.new")
    try files.remove()
    #expect(folder.names.isEmpty)
    try files.remove()
    _ = try files.load()
    try files.append([("b", .set(2))])
    files.close()
    #expect(try stored().entries == ["b": 2])
  }

  @Test("an append to a file that is there is one write and one sync")
  func cost() throws {
    let steps = Lock<[ScriptedDisk.Step]>([])
    var files = files(on: ScriptedDisk { step in steps.withLock { $0.append(step) } })
    try files.append([("a", .set(1))])
    steps.withLock { $0 = [] }
    try files.append([("a", .set(2)), ("b", .set(2))])
    #expect(steps.withLock { $0 } == [.append, .sync])
  }

  @Test("a compaction that fails leaves nothing lying about")
  func failedCompaction() throws {
    let isFull = Lock(false)
    var files = files(
      on: ScriptedDisk { step throws(StorageFailure) in
        if step == .write || step == .rename, isFull.withLock({ $0 }) { throw .diskFull("here") }
      })
    try files.append([("a", .set(1))])
    isFull.withLock { $0 = true }
    #expect(throws: StorageFailure.diskFull("here")) { try files.compact() }
    #expect(folder.names == ["pages", "pages.lock"])
    try files.append([("b", .set(2))])
    files.close()
    #expect(try stored().entries == ["a": 1, "b": 2])
  }

  @Test("compaction keeps what is there and nothing else")
  func compacted() throws {
    var files = files()
    for number in 1...60 { try files.append([("a", .set(number)), ("\(number)", .set(number))]) }
    for number in 1...59 { try files.append([("\(number)", .removed)]) }
    let before = try folder.read("pages").count
    try files.compact()
    #expect(try folder.read("pages").count < before)
    try files.append([("b", .set(1))])
    try files.compact()
    files.close()
    #expect(try stored().entries == ["a": 60, "60": 60, "b": 1])
  }

  @Test(
    "where there is no room for a second file, the first goes on growing, and is not rewritten at every append"
  )
  func noRoom() throws {
    let attempts = Lock(0)
    let isFull = Lock(true)
    var files = files(
      on: ScriptedDisk { step throws(StorageFailure) in
        guard step == .create else { return }
        attempts.withLock { $0 += 1 }
        if attempts.withLock({ $0 }) > 1, isFull.withLock({ $0 }) { throw .diskFull("here") }
      })
    for number in 1...600 { try files.append([("a", .set(number))]) }
    #expect(attempts.withLock { $0 } < 20)
    let before = try folder.read("pages").count
    isFull.withLock { $0 = false }
    for number in 601...1200 { try files.append([("a", .set(number))]) }
    #expect(try folder.read("pages").count < before / 2)
    files.close()
    #expect(try stored().entries == ["a": 1200])
  }

  @Test(
    "wherever an append or a compaction fails, what was acknowledged is there, and appending goes on",
    arguments: TestSize.some(14, of: Array(0...40)), [0, 10, 100])
  func died(after step: Int, partOfWrite: Int) throws {
    var before = files()
    try before.append([("old", .set(1))])
    before.close()
    var dying = files(
      on: ScriptedDisk(failingAfter: step, with: .diskFull(""), partOfWrite: partOfWrite))
    _ = try dying.load()
    var acknowledged = 0
    for number in 1...3 {
      if (try? dying.append([("a\(number)", .set(number)), ("b\(number)", .set(number))])) != nil {
        acknowledged = number
      }
      try? dying.compact()
    }
    dying.close()
    var after = files()
    let stored = try after.load()
    #expect(stored.damaged.isEmpty && stored.entries["old"] == 1)
    for number in 1...3 {
      #expect(stored.entries["a\(number)"] == stored.entries["b\(number)"])
      #expect(number > acknowledged || stored.entries["a\(number)"] == number)
    }
    try after.append([("new", .set(9))])
    #expect(try after.load() == StoredEntries(entries: stored.entries.merging(["new": 9]) { $1 }))
  }
}
