import Foundation

/// Writes records one after another as a batch. After a crash, the file contains all records of the batch or none.
///
/// A file is always longer than its records, and each record contains the least length of the file. A file that was cut
/// anywhere is therefore shorter than its records say, while an interrupted write leaves the length unchanged. The file
/// is extended, and its new length is on the medium, before a record contains that length.
struct LogBatch {
  /// The size at which a batch is written, in bytes.
  private static let chunk = 1 << 20

  private let file: any DiskFile
  private let magic: Data
  /// Whether the file is new, so that nothing reads it before all of it is on the medium.
  private let isNewFile: Bool
  private let first: UInt64
  /// The offset of the next record.
  private(set) var offset: UInt64
  /// The number of the next record.
  private(set) var number: UInt64
  private(set) var reserved: UInt64
  private var unwritten = Data()
  /// The newest record. It is written later, since it may be the last one of the batch.
  private var held: LogRecord?

  /// Begins a new file.
  init(newFile file: any DiskFile, magic: Data) throws(StorageFailure) {
    (self.file, self.magic, isNewFile, first) = (file, magic, true, 0)
    (offset, number, reserved) = (0, 0, 0)
    _ = try add(LogRecord(kind: .opened))
  }

  /// Continues at the end of a file.
  init(_ file: any DiskFile, magic: Data, offset: UInt64, number: UInt64, reserved: UInt64) {
    (self.file, self.magic, isNewFile, first) = (file, magic, false, number)
    (self.offset, self.number, self.reserved) = (offset, number, reserved)
  }

  /// Adds a record and sets its numbers.
  mutating func add(_ record: LogRecord) throws(StorageFailure) -> LogPlace {
    guard record.key.count <= UInt32.max, record.payload.count <= UInt32.max else {
      throw .notEncodable("an entry of more than 4 GiB")
    }
    // After each record, room remains for the record that reports an extension of the file.
    if offset + record.length + LogRecord.emptyLength > reserved {
      try extend(toHold: offset + record.length + 2 * LogRecord.emptyLength)
    }
    return try put(record)
  }

  /// Returns when all records are on the medium.
  mutating func commit() throws(StorageFailure) {
    writeHeld(isLast: true)
    try flush()
    // The first record of a new file is written before the file has its length. An interrupted new file is recognised
    // by it.
    if isNewFile { try file.extend(to: reserved) }
    try file.sync()
  }

  private mutating func extend(toHold needed: UInt64) throws(StorageFailure) {
    reserved = (needed + needed / 2 + 4095) / 4096 * 4096
    if !isNewFile {
      try file.extend(to: reserved)
      try file.sync()
    }
    if number > 0 { _ = try put(LogRecord(kind: .extended)) }
  }

  private mutating func put(_ record: LogRecord) throws(StorageFailure) -> LogPlace {
    writeHeld(isLast: isNewFile)
    var record = record
    record.number = number
    record.batch = isNewFile ? number : first
    record.reserved = reserved
    held = record
    let place = LogPlace(offset: offset, length: record.length)
    number += 1
    offset += record.length
    if unwritten.count >= Self.chunk { try flush() }
    return place
  }

  private mutating func writeHeld(isLast: Bool) {
    guard var record = held else { return }
    record.endsBatch = isLast
    unwritten.append(record.bytes(magic: magic))
    held = nil
  }

  private mutating func flush() throws(StorageFailure) {
    let heldLength = held?.length ?? 0
    try file.write(unwritten, at: offset - heldLength - UInt64(unwritten.count))
    unwritten.removeAll(keepingCapacity: true)
  }
}
