/// The place of each key's value in the file, and the number of bytes that the current values occupy.
struct JournalIndex<Key: Hashable & Sendable> {
  private(set) var places: [Key: LogPlace] = [:]
  /// Whether an entry has an older version.
  private var hasOldVersions = false
  /// The number of bytes that the current values occupy.
  private var liveLength: UInt64 = 0
  /// The length of the file from which compaction is tried again after a failure.
  private var nextCompaction: UInt64 = 0

  /// The entries in the order of the file.
  var placesInOrder: [(key: Key, place: LogPlace)] {
    places.map { (key: $0.key, place: $0.value) }.sorted { $0.place.offset < $1.place.offset }
  }

  mutating func wrote(_ key: Key, at place: LogPlace, isSet: Bool, isOld: Bool = false) {
    if let old = places[key] { liveLength -= old.length }
    places[key] = isSet ? place : nil
    if isSet { liveLength += place.length }
    hasOldVersions = hasOldVersions || isOld
  }

  /// Whether an entry has an older version, or more than half of the file is obsolete. In the second case, rewriting
  /// the file costs no more than the writes to it since.
  func isWorthCompacting(end: UInt64) -> Bool {
    (hasOldVersions || end > 2 * liveLength + 16384) && end >= nextCompaction
  }

  mutating func compactionFailed(end: UInt64) { nextCompaction = end + end / 4 }
}
