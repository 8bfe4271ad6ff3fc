import Foundation
import Millrace
import Testing

@testable import MillraceEffects

@Suite struct LedgerFilesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("ledger") }
  init() throws { folder = try TemporaryFolder() }

  private func files(
    on disk: any Disk = PosixDisk(), version: UInt32 = 1, remembering: Int = 1000
  ) -> LedgerFiles<String> {
    LedgerFiles(path, format: .json(version: version), remembering: remembering, disk: disk)
  }

  private func interrupted(_ files: inout LedgerFiles<String>) throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try files.open().interrupted.map { ($0.key, $0.request) })
  }

  @Test("what has begun and not ended is told after a restart, and does not begin again by itself")
  func interrupted() throws {
    var first = files()
    #expect(try interrupted(&first).isEmpty)
    for key in ["a", "b", "c"] {
      #expect(try first.begin("work \(key)", key: key, attempt: 1) == .begun)
    }
    try first.end("b", attempt: 1)
    #expect(try interrupted(&first).isEmpty, "what was begun in this life is not interrupted")
    first.close()

    var second = files()
    #expect(try interrupted(&second) == ["a": "work a", "c": "work c"])
    #expect(try second.begin("work a", key: "a", attempt: 1) == .interrupted)
    #expect(try second.begin("work b", key: "b", attempt: 1) == .ended)
    #expect(try second.begin("work a", key: "a", attempt: 2) == .begun)
    try second.forget("c")
    #expect(try interrupted(&second).isEmpty)
    second.close()

    var third = files()
    #expect(try interrupted(&third) == ["a": "work a"])
    #expect(try third.begin("work a", key: "a", attempt: 2) == .interrupted)
    #expect(try third.begin("work c", key: "c", attempt: 1) == .begun)
  }

  @Test("a ledger does not grow without bound")
  func bounded() throws {
    var files = files(remembering: 5)
    #expect(try files.begin("open", key: "open", attempt: 1) == .begun)
    var largest = 0
    for number in 0..<300 {
      #expect(try files.begin("work", key: "\(number)", attempt: 1) == .begun)
      try files.end("\(number)", attempt: 1)
      largest = max(largest, try folder.read("ledger").count)
    }
    #expect(largest < 100 * 80)
    files.close()
    #expect(try interrupted(&files) == ["open": "open"])
    #expect(try files.begin("work", key: "299", attempt: 1) == .ended)
  }

  @Test(
    "wherever a process dies while it writes, what was told to be written is, and nothing is damaged",
    arguments: 0...12, [0, 10, 30])
  func died(after step: Int, partOfWrite: Int) throws {
    var before = files(remembering: 0)
    _ = try before.begin("old", key: "old", attempt: 1)
    before.close()

    var dying = files(
      on: ScriptedDisk(failingAfter: step, with: .diskFull(""), partOfWrite: partOfWrite), remembering: 0)
    var begun: Set<String> = ["old"]
    var ended: Set<String> = []
    for key in ["a", "b", "c"] {
      if (try? dying.begin(key, key: key, attempt: 1)) == .begun { begun.insert(key) }
      if (try? dying.end(key, attempt: 1)) != nil { ended.insert(key) }
    }
    dying.close()

    var after = files()
    let opening = try after.open()
    let told = Set(opening.interrupted.map(\.key))
    #expect(begun.subtracting(ended).isSubset(of: told))
    #expect(opening.damaged.isEmpty)
    #expect(try after.begin("new", key: "new", attempt: 1) == .begun)
    after.close()
    #expect(try Set(interrupted(&after).keys) == told.union(["new"]))
    #expect(folder.names == ["ledger", "ledger.lock"])
  }

  @Test("after a write that failed, nothing is added behind what may be there of it")
  func failedOnce() throws {
    let isFull = Lock(false)
    let disk = ScriptedDisk(partOfWrite: 7) { _ throws(StorageFailure) in
      if isFull.withLock({ $0 }) { throw .diskFull("here") }
    }
    var files = files(on: disk)
    _ = try files.begin("a", key: "a", attempt: 1)
    isFull.withLock { $0 = true }
    #expect(throws: StorageFailure.diskFull("here")) { try files.begin("b", key: "b", attempt: 1) }
    #expect(throws: StorageFailure.diskFull("here")) { try files.end("a", attempt: 1) }
    isFull.withLock { $0 = false }
    #expect(try files.begin("b", key: "b", attempt: 1) == .begun)
    files.close()
    #expect(try interrupted(&files) == ["b": "b"], "the end is made up for")
    #expect(try files.open().damaged.isEmpty)
  }

  @Test("a damaged ledger is kept aside, what can be read of it goes on, and it is told")
  func damaged() throws {
    var first = files()
    for key in ["a", "b", "c"] { _ = try first.begin(key, key: key, attempt: 1) }
    first.close()
    var bytes = try folder.read("ledger")
    let place = try #require(bytes.range(of: Data("\"b\"".utf8)))
    bytes[place.lowerBound] = 0
    try folder.write(bytes, to: "ledger")

    var second = files()
    let opening = try second.open()
    #expect(opening.interrupted.map(\.key) == ["a", "c"])
    #expect(
      opening.damaged == [DamagedFile(path: path, setAsideAs: path + ".damaged", reason: .wrongChecksum)])
    #expect(try folder.read("ledger.damaged") == bytes)
    second.close()
    #expect(try second.open().damaged.isEmpty)
    #expect(try interrupted(&second) == ["a": "a", "c": "c"])
  }

  @Test("a damaged ledger that cannot be replaced stays as it is")
  func damagedOnFullDisk() throws {
    var first = files()
    _ = try first.begin("a", key: "a", attempt: 1)
    first.close()
    let bytes = try folder.read("ledger") + [1]
    try folder.write(bytes, to: "ledger")
    for step in 0..<4 {
      var second = files(on: ScriptedDisk(failingAfter: step, with: .diskFull("here")))
      #expect(throws: StorageFailure.diskFull("here")) { try second.open() }
      second.close()
      #expect(try folder.read("ledger") == bytes)
    }
  }

  @Test("a file that is somebody else's is left alone, and so is one of a newer version")
  func leftAlone() throws {
    try folder.write(Data("precious".utf8), to: "ledger")
    var files = files()
    #expect(throws: StorageFailure.foreignFile(path)) { try files.open() }
    #expect(throws: StorageFailure.foreignFile(path)) { try files.begin("a", key: "a", attempt: 1) }
    #expect(try folder.read("ledger") == Data("precious".utf8))
    files.close()
    try FileManager.default.removeItem(atPath: path)

    var newer = self.files(version: 2)
    _ = try newer.begin("a", key: "a", attempt: 1)
    newer.close()
    let bytes = try folder.read("ledger")
    let failure = StorageFailure.newerVersion(path, found: 2, known: 1)
    #expect(throws: failure) { try files.open() }
    #expect(throws: failure) { try files.begin("b", key: "b", attempt: 1) }
    #expect(try folder.read("ledger") == bytes)
  }

  @Test("requests of older versions are migrated, and what cannot be is left alone")
  func migrated() throws {
    let first = StorageFormat<Int>.json()
    let second = first.migrating(to: String.self) { number in
      guard number > 0 else { throw CancellationError() }
      return "number \(number)"
    }
    var old = LedgerFiles(path, format: first, remembering: 1, disk: PosixDisk())
    _ = try old.begin(7, key: "a", attempt: 1)
    old.close()
    var new = LedgerFiles(path, format: second, remembering: 1, disk: PosixDisk())
    _ = try new.begin("b", key: "b", attempt: 1)
    new.close()
    #expect(try interrupted(&new) == ["a": "number 7", "b": "b"])
    new.close()
    #expect(throws: StorageFailure.newerVersion(path, found: 2, known: 1)) { try old.open() }
    old.close()

    try FileManager.default.removeItem(atPath: path)
    _ = try old.begin(0, key: "a", attempt: 1)
    old.close()
    let failure = StorageFailure.notMigratable(path, from: 1, reason: "CancellationError()")
    #expect(throws: failure) { try new.open() }
    #expect(throws: failure) { try new.begin("b", key: "b", attempt: 1) }
  }

  @Test("a second ledger on the same file is refused until the first is closed")
  func locked() throws {
    var (first, second) = (files(), files())
    _ = try first.open()
    #expect(throws: StorageFailure.locked(path + ".lock")) { try second.open() }
    first.close()
    _ = try second.open()
  }

  @Test("a ledger that somebody took away is written again, with all that is open")
  func takenAway() throws {
    var files = files()
    _ = try files.begin("a", key: "a", attempt: 1)
    try FileManager.default.removeItem(atPath: path)
    _ = try files.begin("b", key: "b", attempt: 1)
    files.close()
    #expect(try interrupted(&files) == ["a": "a", "b": "b"])
  }
}
