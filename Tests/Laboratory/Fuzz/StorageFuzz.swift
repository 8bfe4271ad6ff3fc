import Foundation
import Synchronization

@testable import MillraceStorage

/// Writes batches of records, of which the input has the keys, payloads and sizes; then damages the file where it says.
func fuzzLogs(_ bytes: [UInt8]) {
  read(MemoryDisk(Data(bytes)), of: nil)
  guard bytes.count > 4 else { return }
  let disk = MemoryDisk(Data())
  var written: [LogRecord] = []
  do {
    var log = try LogFile(newFile: disk, magic: magic)
    for batch in cut(Array(bytes[4...])).prefix(64) {
      try log.append { (writer) throws(StorageFailure) in
        for part in batch.split(separator: 10).prefix(8) {
          let record = LogRecord(
            kind: kinds[Int(part.count % kinds.count)], key: Data(part.prefix(9)),
            payload: Data(part.dropFirst(1)))
          _ = try writer.add(record)
          written.append(record)
        }
      }
    }
  } catch { check(false, "the log is not written: \(error)") }
  check(read(disk, of: written) == written.count, "not every record reads back")
  disk.change { file in
    let place = (Int(bytes[0]) << 8 | Int(bytes[1])) % file.count
    if bytes[2] & 1 == 0 { file = file.prefix(place) } else { file[place] ^= bytes[3] | 1 }
  }
  read(disk, of: written)
}

private let magic = Data("MLJ1".utf8)
private let kinds: [LogRecord.Kind] = [.set, .removed, .begun, .ended, .forgotten]

/// Reads a file as a log, a journal and a ledger. Returns how many records it has, all of which must have been written.
@discardableResult
private func read(_ disk: MemoryDisk, of written: [LogRecord]?) -> Int {
  var (count, next) = (0, 0)
  var journal = JournalReading<Data, Data>("fuzz", format: format)
  var book = LedgerBook(remembering: 4)
  let scan = try? LogScan(disk, magic: magic) { (record, place) throws(StorageFailure) in
    try? journal.take(record, at: place)
    if let record = LedgerRecord(record) { book.wrote(record) }
    guard let written, record.kind != .opened, record.kind != .extended else { return }
    let index = written[next...].firstIndex {
      ($0.kind, $0.key, $0.payload) == (record.kind, record.key, record.payload)
    }
    check(index != nil, "a record that nobody wrote, or out of order")
    next = (index ?? 0) + 1
    count += 1
  }
  _ = book.compacted()
  check(
    scan == nil || written == nil || scan?.damage != nil || scan?.isTorn == true || count == next,
    "a silent gap")
  return count
}

private let format = JournalFormat<Data, Data>(
  version: 1, encodeKey: { $0 }, encodeValue: { $0 }, decodeKey: { data, _ in data },
  decodeValue: { data, _ in data })

/// A file in memory.
private final class MemoryDisk: DiskFile {
  private let content: Mutex<Data>

  init(_ bytes: Data) { content = Mutex(bytes) }

  func change(_ change: (inout Data) -> Void) { content.withLock { change(&$0) } }

  func identity() -> FileIdentity {
    content.withLock {
      FileIdentity(device: 1, number: 1, size: UInt64($0.count), modified: 0, isRegular: true)
    }
  }

  func read(at offset: UInt64, count: Int) -> Data {
    content.withLock { Data($0.dropFirst(Int(clamping: offset)).prefix(count)) }
  }

  func write(_ bytes: Data, at offset: UInt64) {
    content.withLock { file in
      let end = Int(offset) + bytes.count
      if file.count < end { file.append(Data(count: end - file.count)) }
      file.replaceSubrange(Int(offset)..<end, with: bytes)
    }
  }

  func extend(to size: UInt64) {
    content.withLock { if $0.count < Int(size) { $0.append(Data(count: Int(size) - $0.count)) } }
  }

  func sync() {}
}

/// A stored value reads back as it was written, and no changed byte goes unseen.
func fuzzValues(_ bytes: [UInt8]) {
  if let record = try? StorageRecord(Data(bytes)) {
    check(record.bytes == Data(bytes), "a record that is read is written otherwise")
  }
  let record = StorageRecord(
    version: UInt32(bytes.count), generation: UInt64(bytes.first ?? 0), payload: Data(bytes))
  var file = record.bytes
  check((try? StorageRecord(file)) == record, "a record that is written is read otherwise")
  let place = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % file.count
  file[place] ^= bytes.last.map { $0 | 1 } ?? 1
  check((try? StorageRecord(file)) == nil, "byte \(place) is changed, and nobody sees it")
}
