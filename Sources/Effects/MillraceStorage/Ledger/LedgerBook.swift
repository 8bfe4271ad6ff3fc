import Foundation

/// The contents of a ledger, and the decision whether an attempt may begin. It reads and writes no file.
///
/// An entry that has ended is remembered for a while. So a state that was stored before its end cannot begin it again.
struct LedgerBook {
  struct Entry: Equatable {
    var attempt: Int
    var version: UInt32
    var payload: Data
    /// The number of this end among all ends; `nil` if the work has not ended.
    var end: UInt64?
    /// Whether the record was in the file when the ledger was opened.
    var isInherited: Bool
  }

  enum Verdict: Equatable, Sendable {
    case begun
    /// The work was begun before, and is not known to have ended.
    case interrupted
    case ended
  }

  private(set) var entries: [LedgerKey: Entry] = [:]
  /// The number of records in the file, without those about the file itself.
  private(set) var recordCount: UInt64 = 0
  private let remembered: Int
  private var ends: UInt64 = 0

  init(remembering remembered: Int) { self.remembered = max(0, remembered) }

  /// Applies the records that the file contains.
  init(_ records: [LedgerRecord], remembering remembered: Int) {
    self.init(remembering: remembered)
    for record in records { wrote(record, isInherited: true) }
  }

  /// Whether an attempt may begin: only one with a higher number than any that has begun.
  func verdict(on key: LedgerKey, attempt: Int) -> Verdict {
    guard let entry = entries[key], attempt <= entry.attempt else { return .begun }
    return entry.end == nil ? .interrupted : .ended
  }

  /// Whether the key has begun and not ended, with this attempt if one is given.
  func isOpen(_ key: LedgerKey, attempt: Int?) -> Bool {
    guard let entry = entries[key], entry.end == nil else { return false }
    return attempt == nil || attempt == entry.attempt
  }

  /// Applies a record that was written at the end of the file.
  mutating func wrote(_ record: LedgerRecord, isInherited: Bool = false) {
    recordCount += 1
    switch record.kind {
    case .begun:
      // In a damaged file, the record of an earlier attempt can follow that of a later one.
      if let entry = entries[record.key], entry.attempt > record.attempt { break }
      entries[record.key] = Entry(
        attempt: record.attempt, version: record.version, payload: record.payload, isInherited: isInherited)
    case .ended:
      ends += 1
      if let entry = entries[record.key], entry.attempt > record.attempt { break }
      entries[record.key] = Entry(
        attempt: record.attempt, version: 0, payload: Data(), end: ends, isInherited: isInherited)
    case .forgotten:
      if let entry = entries[record.key], entry.attempt <= record.attempt { entries[record.key] = nil }
    case .opened, .extended, .set, .removed: break
    }
  }

  // MARK: Compaction

  /// Whether most of the records are obsolete.
  var isWorthCompacting: Bool {
    // This lower bound of the needed records decides in most cases, so that the ended ones need not be counted.
    guard recordCount > UInt64(2 * min(entries.count, remembered) + 64) else { return false }
    let endedCount = entries.values.count { $0.end != nil }
    let needed = entries.count - max(0, endedCount - remembered)
    return recordCount > UInt64(2 * needed + 64)
  }

  /// The records of a compacted file, and the book after the file is replaced.
  func compacted() -> (records: [LedgerRecord], book: LedgerBook) {
    let ended = entries.filter { $0.value.end != nil }.sorted { $0.value.end ?? 0 < $1.value.end ?? 0 }
    let open = entries.filter { $0.value.end == nil }.sorted { $0.key < $1.key }
    let records = (ended.suffix(remembered) + open).map { key, entry in
      LedgerRecord(
        kind: entry.end == nil ? .begun : .ended, key: key, attempt: entry.attempt, version: entry.version,
        payload: entry.payload)
    }
    var book = LedgerBook(remembering: remembered)
    for record in records { book.wrote(record, isInherited: entries[record.key]?.isInherited ?? false) }
    return (records, book)
  }
}
