import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceStorage

@Suite struct LogFileTests {
  @Test("a file becomes longer in time, says so, and each cut is known at any length")
  func extended() throws {
    var log = try TestLog()
    var random = SeededGenerator(seed: 7)
    var expected: [Data] = []
    for number in 0..<200 {
      let payloads = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Data(repeating: UInt8(number + 1), count: Int.random(in: 0...900, using: &random))
      }
      let before = log.bytes.count
      try log.append(payloads)
      expected += payloads
      if log.bytes.count == before, number % 10 != 0 { continue }
      let (scan, read) = try TestLog.read(log.bytes)
      #expect(scan.damage == nil && !scan.isTorn && read == expected)
      for length in [before - 1, before, log.bytes.count - 1, log.ends[log.ends.count - 2]] {
        guard length < log.bytes.count else { continue }
        #expect(try TestLog.read(log.bytes.prefix(length)).scan.damage != nil, "\(number) \(length)")
      }
    }
    #expect(log.bytes.count > 100_000)
  }

  @Test("a write that was broken off while the file became longer is no damage")
  func extendedAndTorn() throws {
    var log = try TestLog()
    while log.bytes.count == 4096 {
      let before = log
      let bytes = log.bytes
      try log.append(Data(repeating: 9, count: 300), Data(repeating: 8, count: 300))
      guard log.bytes.count > 4096 else { continue }
      let start = before.ends.last ?? 0
      for end in start..<(log.ends.last ?? 0) {
        var torn = log.bytes
        torn.resetBytes(in: end..<torn.count)
        let (scan, _) = try TestLog.read(torn)
        let isWhole = end == (log.ends.last ?? 0) - 1
        #expect(scan.damage == nil && Int(scan.end) == (isWhole ? end + 1 : start), "\(end)")
      }
      // The file was made longer and nothing else was done.
      let longer = bytes + Data(count: log.bytes.count - bytes.count)
      #expect(try TestLog.read(longer).scan.damage == nil)
    }
  }

  @Test("a batch that failed leaves nothing that the next one could be taken to begin with")
  func wiped() throws {
    struct Failing: DiskFile {
      let file: MemoryFile
      let failsAt: Int
      let counter: Counter
      final class Counter: @unchecked Sendable {  // used by one thread
        var syncs = 0
      }
      func identity() throws(StorageFailure) -> FileIdentity { try file.identity() }
      func read(at offset: UInt64, count: Int) throws(StorageFailure) -> Data {
        try file.read(at: offset, count: count)
      }
      func write(_ bytes: Data, at offset: UInt64) throws(StorageFailure) {
        try file.write(bytes, at: offset)
      }
      func extend(to size: UInt64) throws(StorageFailure) { try file.extend(to: size) }
      func sync() throws(StorageFailure) {
        counter.syncs += 1
        if counter.syncs == failsAt { throw .diskFull("here") }
      }
    }
    let memory = MemoryFile()
    var log = try LogFile(
      newFile: Failing(file: memory, failsAt: 3, counter: .init()), magic: TestLog.magic)
    func append(_ payloads: String...) throws {
      try log.append { batch throws(StorageFailure) in
        for payload in payloads {
          _ = try batch.add(LogRecord(kind: .set, key: Data("k".utf8), payload: Data(payload.utf8)))
        }
      }
    }
    try append("a")
    #expect(throws: StorageFailure.diskFull("here")) { try append("b", "c", "d") }
    try append("b")
    let (scan, payloads) = try TestLog.read(memory.bytes)
    #expect(payloads == [Data("a".utf8), Data("b".utf8)])
    #expect(scan.damage == nil && !scan.isTorn)
  }

  @Test("what a broken batch has left is wiped, and that is on the medium, before anything is written there")
  func wipedFirst() throws {
    struct Recording: DiskFile {
      let file = MemoryFile()
      let steps = Lock<[String]>([])
      func identity() throws(StorageFailure) -> FileIdentity { try file.identity() }
      func read(at offset: UInt64, count: Int) throws(StorageFailure) -> Data {
        try file.read(at: offset, count: count)
      }
      func write(_ bytes: Data, at offset: UInt64) throws(StorageFailure) {
        steps.withLock { $0.append(bytes.usedCount == 0 ? "zeros" : "write") }
        try file.write(bytes, at: offset)
      }
      func extend(to size: UInt64) throws(StorageFailure) {
        steps.withLock { $0.append("extend") }
        try file.extend(to: size)
      }
      func sync() throws(StorageFailure) { steps.withLock { $0.append("sync") } }
    }
    var log = try TestLog()
    try log.append(Data("kept".utf8))
    let end = log.ends[1]
    try log.append(Data("lost".utf8), Data(repeating: 1, count: 400))
    var torn = log.bytes
    torn.resetBytes(in: end + 300..<torn.count)
    let file = Recording()
    try file.file.write(torn, at: 0)
    let scan = try LogScan(file, magic: TestLog.magic) { _, _ throws(StorageFailure) in }
    #expect(scan.isTorn)
    var again = LogFile(file, magic: TestLog.magic, after: scan)
    try again.append { batch throws(StorageFailure) in
      _ = try batch.add(LogRecord(kind: .set, payload: Data("new".utf8)))
    }
    #expect(file.steps.withLock { $0 } == ["zeros", "sync", "write", "sync"])
    let (whole, payloads) = try TestLog.read(file.file.bytes)
    #expect(whole.damage == nil && !whole.isTorn)
    #expect(payloads == [Data("kept".utf8), Data("new".utf8)])
  }

  @Test("a record of an earlier batch behind the end of another is damage, though its number is right")
  func strayRecord() throws {
    var (long, short) = (try TestLog(), try TestLog())
    try long.append(Data("a".utf8), Data("b".utf8))
    try short.append(Data("c".utf8))
    var bytes = long.bytes
    bytes.replaceSubrange(0..<short.ends[1], with: short.bytes.prefix(short.ends[1]))
    #expect(try TestLog.read(bytes).scan.damage != nil)
  }

  @Test("a large batch is written in pieces and counts as one")
  func large() throws {
    var log = try TestLog()
    let payloads = (1...5).map { Data(repeating: UInt8($0), count: 700_000) }
    try log.append(payloads)
    #expect(try TestLog.read(log.bytes).payloads == payloads)
    var torn = log.bytes
    torn.resetBytes(in: (log.ends.last ?? 0) - 2..<torn.count)
    let (scan, read) = try TestLog.read(torn)
    #expect(read.isEmpty && scan.isTorn && scan.damage == nil)
  }
}
