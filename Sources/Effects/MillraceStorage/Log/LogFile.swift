import Foundation

/// A file to which batches of records are added.
struct LogFile {
  let file: any DiskFile
  private let magic: Data
  /// The end of the last batch on the medium.
  private(set) var end: UInt64
  private var number: UInt64
  /// The least length of the file according to its records.
  private(set) var reserved: UInt64
  /// The end of the bytes that an interrupted batch may have written.
  private var usedEnd: UInt64

  /// Continues at the end of a scanned file.
  init(_ file: any DiskFile, magic: Data, after scan: LogScan) {
    (self.file, self.magic) = (file, magic)
    (end, number, reserved) = (scan.end, scan.number, scan.reserved)
    usedEnd = max(scan.usedEnd, scan.end)
  }

  /// Makes a file, and returns when it is on the medium. Each of its records is a batch of its own.
  init(
    newFile file: any DiskFile, magic: Data,
    _ write: (inout LogBatch) throws(StorageFailure) -> Void = { _ throws(StorageFailure) in }
  ) throws(StorageFailure) {
    var batch = try LogBatch(newFile: file, magic: magic)
    try write(&batch)
    try batch.commit()
    (self.file, self.magic) = (file, magic)
    (end, number, reserved) = (batch.offset, batch.number, batch.reserved)
    usedEnd = end
  }

  /// Adds a batch, and returns when it is on the medium. If this fails, the file counts as unchanged.
  mutating func append(
    _ write: (inout LogBatch) throws(StorageFailure) -> Void
  ) throws(StorageFailure) {
    try wipe()
    var batch = LogBatch(file, magic: magic, offset: end, number: number, reserved: reserved)
    do throws(StorageFailure) {
      try write(&batch)
      try batch.commit()
    } catch {
      usedEnd = max(usedEnd, batch.offset)
      throw error
    }
    (end, number, reserved) = (batch.offset, batch.number, batch.reserved)
    usedEnd = end
  }

  /// The record at a place; `nil` if the record is damaged.
  func record(at place: LogPlace) throws(StorageFailure) -> LogRecord? {
    let bytes = try file.read(at: place.offset, count: Int(place.length))
    guard let head = LogRecord.Head(bytes.prefix(LogRecord.headLength), magic: magic) else { return nil }
    return LogRecord(head, body: bytes.dropFirst(LogRecord.headLength))
  }

  /// Overwrites what an interrupted batch has left with zeros. Otherwise its records could seem to belong to the next
  /// batch.
  private mutating func wipe() throws(StorageFailure) {
    guard usedEnd > end else { return }
    var offset = end
    while offset < usedEnd {
      let count = min(usedEnd - offset, 1 << 20)
      try file.write(Data(count: Int(count)), at: offset)
      offset += count
    }
    try file.sync()
    usedEnd = end
  }
}
