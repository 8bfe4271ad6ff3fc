/// The place of each key's value in the file, and the number of bytes that matter.
struct JournalIndex<Key: Hashable & Sendable> {
  private(set) var places: [Key: LogPlace] = [:]
  /// Whether some entry is of an older version.
  private var hasOldVersions = false
  /// In bytes.
  private var liveLength: UInt64 = 0
  /// Until the file has grown to this, compaction is not tried again.
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

  /// Whether most of the file no longer matters, which makes rewriting it as cheap as what was written to it.
  func isWorthCompacting(end: UInt64) -> Bool {
    (hasOldVersions || end > 2 * liveLength + 16384) && end >= nextCompaction
  }

  mutating func compactionFailed(end: UInt64) { nextCompaction = end + end / 4 }
}
