import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceStorage

@Suite struct LedgerFilesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("ledger") }
  init() throws { folder = try TemporaryFolder() }

  private func files(
    on disk: any Disk = PosixDisk(), version: UInt32 = 1, remembering: Int = 1000
  ) -> LedgerFiles<String> {
    LedgerFiles(path, format: .json(version: version), remembering: remembering, disk: disk)
  }

  private func interrupted(_ files: inout LedgerFiles<String>) throws -> [LedgerKey: String] {
    Dictionary(uniqueKeysWithValues: try files.open().interrupted.map { ($0.key, $0.request) })
  }

  @Test("what has begun and not ended is told after a restart, and does not begin again by itself")
  func interrupted() throws {
    var first = files()
    #expect(try interrupted(&first).isEmpty)
    for key in ["a", "b", "c"] as [LedgerKey] {
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
      #expect(try files.begin("work", key: LedgerKey("\(number)"), attempt: 1) == .begun)
      try files.end(LedgerKey("\(number)"), attempt: 1)
      largest = max(largest, try folder.read("ledger").count)
    }
    #expect(largest <= 32768)
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
    var begun: Set<LedgerKey> = ["old"]
    var endAsked: Set<LedgerKey> = []
    for key in ["a", "b", "c"] as [LedgerKey] {
      if (try? dying.begin(key.text, key: key, attempt: 1)) == .begun { begun.insert(key) }
      endAsked.insert(key)  // what fails may be on the medium all the same
      _ = try? dying.end(key, attempt: 1)
    }
    dying.close()

    var after = files()
    let opening = try after.open()
    let reported = Set(opening.interrupted.map(\.key))
    #expect(begun.subtracting(endAsked).isSubset(of: reported))
    #expect(opening.damaged.isEmpty)
    #expect(try after.begin("new", key: "new", attempt: 1) == .begun)
    after.close()
    #expect(try Set(interrupted(&after).keys) == reported.union(["new"]))
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

  @Test("an end that is made up for is written once")
  func madeUpFor() throws {
    let isFull = Lock(false)
    var files = files(
      on: ScriptedDisk { step throws(StorageFailure) in
        if step == .append, isFull.withLock({ $0 }) { throw .diskFull("here") }
      })
    _ = try files.begin("a", key: "a", attempt: 1)
    isFull.withLock { $0 = true }
    #expect(throws: StorageFailure.diskFull("here")) { try files.end("a", attempt: 1) }
    isFull.withLock { $0 = false }
    for key in ["b", "c", "d"] as [LedgerKey] { _ = try files.begin("work", key: key, attempt: 1) }
    files.close()
    var kinds: [LogRecord.Kind] = []
    let file = try #require(try PosixDisk().open(path))
    _ = try LogScan(file, magic: Data("MRL2".utf8)) { record, _ in kinds.append(record.kind) }
    #expect(kinds == [.opened, .begun, .ended, .begun, .begun, .begun])
  }

  @Test("a damaged ledger is kept aside, what can be read of it goes on, and it is told")
  func damaged() throws {
    var first = files()
    for key in ["a", "b", "c"] as [LedgerKey] { _ = try first.begin(key.text, key: key, attempt: 1) }
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
    #expect(try second.open().damaged == opening.damaged, "it is told again as long as nothing was added")
    _ = try second.begin("d", key: "d", attempt: 1)
    #expect(try folder.read("ledger.damaged") == bytes)
    second.close()
    #expect(try second.open().damaged.isEmpty)
    #expect(try interrupted(&second) == ["a": "a", "c": "c", "d": "d"])
  }

  @Test("a damaged ledger that cannot be replaced stays as it is, and is told each time")
  func damagedOnFullDisk() throws {
    var first = files()
    _ = try first.begin("a", key: "a", attempt: 1)
    first.close()
    var bytes = try folder.read("ledger")
    bytes[70] ^= 1
    try folder.write(bytes, to: "ledger")
    for step in 1..<5 {
      var second = files(on: ScriptedDisk(failingAfter: step, with: .diskFull("here")))
      #expect(try second.open().damaged.map(\.setAsideAs) == [path + ".damaged"])
      #expect(throws: StorageFailure.diskFull("here")) { try second.begin("b", key: "b", attempt: 1) }
      second.close()
      #expect(try folder.read("ledger") == bytes)
    }
    #expect(folder.names.filter { $0.contains("damaged") } == ["ledger.damaged"])
  }

  @Test("of a ledger that was cut anywhere, no cut is silent", arguments: [1, 4])
  func cut(remembering: Int) throws {
    var first = files()
    for key in ["a", "b", "c", "d", "e"] as [LedgerKey] {
      _ = try first.begin(key.text, key: key, attempt: 1)
    }
    try first.end("b", attempt: 1)
    first.close()
    let bytes = try folder.read("ledger")
    for length in Array(stride(from: 0, to: 700, by: TestSize.isFull ? 1 : 9)) + [
      1000, 2000, bytes.count - 1,
    ] {
      try folder.write(bytes.prefix(length), to: "ledger")
      var cut = files()
      let opening = try cut.open()
      #expect(opening.damaged.map(\.path) == [path], "\(length)")
      #expect(opening.interrupted.allSatisfy { $0.request == $0.key.text })
      cut.close()
      try FileManager.default.removeItem(atPath: path + ".damaged")
    }
  }

  @Test("a ledger that somebody cuts while it is open is told, kept aside, and whole again")
  func cutWhileOpen() throws {
    var files = files()
    for key in ["a", "b"] as [LedgerKey] { _ = try files.begin(key.text, key: key, attempt: 1) }
    try folder.write(folder.read("ledger").prefix(100), to: "other")
    #expect(truncate(path, 100) == 0)
    #expect(try files.begin("c", key: "c", attempt: 1) == .begun)
    #expect(try files.open().damaged.map(\.setAsideAs) == [path + ".damaged"])
    files.close()
    #expect(try interrupted(&files) == ["a": "a", "b": "b", "c": "c"])
  }

  @Test("a ledger in whose place somebody puts another file is not written to")
  func replaced() throws {
    var files = files()
    _ = try files.begin("a", key: "a", attempt: 1)
    try FileManager.default.removeItem(atPath: path)
    try folder.write(Data("precious".utf8), to: "ledger")
    #expect(throws: StorageFailure.foreignFile(path)) { try files.begin("b", key: "b", attempt: 1) }
    #expect(throws: StorageFailure.foreignFile(path)) { try files.begin("b", key: "b", attempt: 1) }
    #expect(try folder.read("ledger") == Data("precious".utf8))
  }

  @Test("keys that are one string and not the same bytes are two keys, also after a restart")
  func keyBytes() throws {
    let (one, two): (LedgerKey, LedgerKey) = ("caf\u{e9}", "cafe\u{301}")
    #expect(one.text == two.text && one != two && Set([one, two]).count == 2)
    #expect((one < two) != (two < one))
    var files = files()
    #expect(try files.begin("1", key: one, attempt: 1) == .begun)
    #expect(try files.begin("2", key: two, attempt: 1) == .begun)
    try files.end(one, attempt: 1)
    files.close()
    #expect(try interrupted(&files) == [two: "2"])
    #expect(try files.begin("1", key: one, attempt: 1) == .ended)
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
