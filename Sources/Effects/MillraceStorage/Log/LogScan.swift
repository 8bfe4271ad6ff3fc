import Foundation

/// The readable part of a log.
///
/// The end of a file is whole, torn or damaged. It is torn if the write of the last batch was interrupted, so that its
/// writer never got an answer. A torn end is dropped, and damage is reported.
struct LogScan {
  /// The end of the last whole batch, as an offset.
  private(set) var end: UInt64 = 0
  /// The number of the next record.
  private(set) var number: UInt64 = 0
  /// The least length of the file according to its records.
  private(set) var reserved: UInt64 = 0
  /// The offset after the last nonzero byte of the file.
  private(set) var usedEnd: UInt64 = 0
  /// Whether the file ends with a torn batch.
  private(set) var isTorn = false
  /// The reason why records may be missing; `nil` if none is missing.
  private(set) var damage: DamagedFile.Reason?
  /// Whether anything in the file shows that it is a log of this kind.
  private(set) var isRecognised: Bool

  private let magic: Data
  private var window: LogWindow
  private var unfinished: [(LogRecord, LogPlace)] = []

  typealias Visit = (LogRecord, LogPlace) throws(StorageFailure) -> Void

  /// Reads a file, and calls `visit` with each of its records, in their order. Needs memory for 1 MiB and for the
  /// largest batch.
  init(_ file: any DiskFile, magic: Data, _ visit: Visit) throws(StorageFailure) {
    self.magic = magic
    window = try LogWindow(file)
    let beginning = try window.bytes(at: 0, count: magic.count)
    isRecognised = beginning == magic.prefix(beginning.count)
    try scan(visit)
    usedEnd = try window.usedEnd(from: end)
  }

  private mutating func scan(_ visit: Visit) throws(StorageFailure) {
    var offset: UInt64 = 0
    while offset < window.size {
      if let record = try record(at: offset) {
        let place = LogPlace(offset: offset, length: record.length)
        try take(record, at: place, visit)
        offset += place.length
      } else if number > 0, try window.usedEnd(from: offset) == offset {
        break  // reserved room that is still empty
      } else if number > 0, damage == nil, try isTornBatch(at: offset) {
        isTorn = true
        break
      } else {
        damage = damage ?? .wrongChecksum
        guard let next = try nextRecord(behind: offset) else { break }
        offset = next.offset
      }
    }
    if window.size < reserved {
      damage = damage ?? .wrongLength(expected: Int(clamping: reserved), found: Int(clamping: window.size))
    }
    if number > 0 {
      isRecognised = true
    } else {
      damage = isRecognised ? .wrongLength(expected: 4096, found: Int(clamping: window.size)) : .notThisFormat
    }
    if damage != nil {
      try visitUnfinished(visit)
    } else if let (first, _) = unfinished.first {
      (isTorn, number) = (true, first.number)  // the number with which the next batch begins
    }
  }

  private mutating func take(_ record: LogRecord, at place: LogPlace, _ visit: Visit) throws(StorageFailure) {
    let isExpected = record.number == number && (number > 0 || record.kind == .opened)
    let batch = unfinished.first?.0.batch ?? record.number
    if !isExpected || record.batch != batch { damage = damage ?? .wrongChecksum }
    if record.batch != batch { try visitUnfinished(visit) }
    number = record.number &+ 1
    reserved = max(reserved, record.reserved)
    unfinished.append((record, place))
    if record.endsBatch {
      end = place.offset + place.length
      try visitUnfinished(visit)
    }
  }

  private mutating func visitUnfinished(_ visit: Visit) throws(StorageFailure) {
    for (record, place) in unfinished { try visit(record, place) }
    unfinished = []
  }

  // MARK: Reading

  private mutating func record(at offset: UInt64) throws(StorageFailure) -> LogRecord? {
    guard let head = try head(at: offset) else { return nil }
    return LogRecord(
      head, body: try window.bytes(at: offset + UInt64(LogRecord.headLength), count: head.bodyLength))
  }

  private mutating func head(at offset: UInt64) throws(StorageFailure) -> LogRecord.Head? {
    LogRecord.Head(try window.bytes(at: offset, count: LogRecord.headLength), magic: magic)
  }

  private mutating func nextRecord(
    behind offset: UInt64
  ) throws(StorageFailure) -> (offset: UInt64, record: LogRecord)? {
    var offset = offset
    while let next = try window.offset(of: magic, from: offset + 1) {
      if let record = try record(at: next) { return (next, record) }
      offset = next
    }
    return nil
  }

  // MARK: Torn or damaged

  /// Whether an offset lies in the last batch, and its bytes look like those of an interrupted write.
  private mutating func isTornBatch(at offset: UInt64) throws(StorageFailure) -> Bool {
    var last = offset
    while let (next, record) = try nextRecord(behind: last) {
      // A batch that begins after this offset was written only when this batch was whole.
      if record.batch > number { return false }
      last = next
    }
    // If an interrupted batch is being overwritten with zeros, its beginning is overwritten first.
    if try window.bytes(at: offset, count: magic.count).usedCount == 0 { return true }
    let head = try head(at: offset)
    let length = head.map { UInt64($0.length) } ?? UInt64(LogRecord.headLength)
    return try hasUnwrittenPart(LogPlace(offset: offset, length: length))
  }

  /// Whether a part of a record is still empty: its end with everything after it, or all of its bytes in one sector.
  private mutating func hasUnwrittenPart(_ place: LogPlace) throws(StorageFailure) -> Bool {
    let end = place.offset + place.length
    if try window.usedEnd(from: place.offset) < end { return true }
    var start = place.offset
    while start < end {
      let next = min(end, (start / 512 + 1) * 512)
      if try window.bytes(at: start, count: Int(next - start)).usedCount == 0 { return true }
      start = next
    }
    return false
  }
}
