import Foundation

/// The contents of a ledger, and its decisions. Pure.
///
/// An entry that has ended is remembered for a while, so that a state that was stored before its end cannot have
/// it begun anew.
struct LedgerBook {
  struct Entry: Equatable {
    var attempt: Int
    var version: UInt32
    var payload: Data
    /// When it ended, counted in ends; `nil` if it has not.
    var end: UInt64?
    /// Whether it was begun before the ledger was opened.
    var isInherited: Bool
  }

  enum Verdict: Equatable, Sendable {
    case begun
    /// It was begun before, and is not known to have ended.
    case interrupted
    case ended
  }

  private(set) var entries: [LedgerKey: Entry] = [:]
  /// How many records there are in the file, but for those about the file itself.
  private(set) var recordCount: UInt64 = 0
  private let remembered: Int
  private var ends: UInt64 = 0

  init(remembering remembered: Int) { self.remembered = max(0, remembered) }

  /// Takes over what was written in an earlier life.
  init(_ records: [LedgerRecord], remembering remembered: Int) {
    self.init(remembering: remembered)
    for record in records { wrote(record, isInherited: true) }
  }

  /// Whether an attempt may begin: only one that is later than all that have.
  func verdict(on key: LedgerKey, attempt: Int) -> Verdict {
    guard let entry = entries[key], attempt <= entry.attempt else { return .begun }
    return entry.end == nil ? .interrupted : .ended
  }

  /// Whether an end or a forgetting of an attempt is about what is known.
  func isOpen(_ key: LedgerKey, attempt: Int?) -> Bool {
    guard let entry = entries[key], entry.end == nil else { return false }
    return attempt == nil || attempt == entry.attempt
  }

  /// A record was written at the end of the file.
  mutating func wrote(_ record: LedgerRecord, isInherited: Bool = false) {
    recordCount += 1
    switch record.kind {
    case .begun:
      // Out of order in a damaged file, the earlier attempt comes second.
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

  /// Whether most of the file says what no longer matters.
  var isWorthCompacting: Bool {
    // At least so many are needed; mostly that decides, and nothing is to be counted.
    guard recordCount > UInt64(2 * min(entries.count, remembered) + 64) else { return false }
    let endedCount = entries.values.count { $0.end != nil }
    let needed = entries.count - max(0, endedCount - remembered)
    return recordCount > UInt64(2 * needed + 64)
  }

  /// All that a new file has to say, and what is known afterwards.
  func compacted() -> (records: [LedgerRecord], book: LedgerBook) {
    let ended = entries.filter { $0.value.end != nil }.sorted { $0.value.end ?? 0 < $1.value.end ?? 0 }
    let open = entries.filter { $0.value.end == nil }.sorted { $0.key < $1.key }
    let records = (ended.suffix(remembered) + open).map { key, entry in
      LedgerRecord(
        entry.end == nil ? .begun : .ended, key, attempt: entry.attempt, version: entry.version,
        payload: entry.payload)
    }
    var book = LedgerBook(remembering: remembered)
    for record in records { book.wrote(record, isInherited: entries[record.key]?.isInherited ?? false) }
    return (records, book)
  }
}
