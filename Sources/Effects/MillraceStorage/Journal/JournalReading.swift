import Foundation

/// Decodes the records of a journal to entries.
struct JournalReading<Key: Hashable & Sendable, Value: Sendable> {
  private(set) var entries: [Key: Value] = [:]
  private(set) var index = JournalIndex<Key>()
  /// The reason why an intact record could not be decoded, if there is one.
  private(set) var undecodable: DamagedFile.Reason?
  private let path: String
  private let format: JournalFormat<Key, Value>

  init(_ path: String, format: JournalFormat<Key, Value>) {
    self.path = path
    self.format = format
  }

  mutating func take(_ record: LogRecord, at place: LogPlace) throws(StorageFailure) {
    guard record.kind == .set || record.kind == .removed else { return }
    let version = record.version
    try StorageFailure.verify(version, from: format.oldestVersion, to: format.version, in: path)
    do {
      let key = try format.decodeKey(record.key, version)
      let value = record.kind == .set ? try format.decodeValue(record.payload, version) : nil
      entries[key] = value
      index.wrote(key, at: place, isSet: value != nil, isOld: version < format.version)
    } catch {
      let reason = String(describing: error)
      if version < format.version { throw .notMigratable(path, from: version, reason: reason) }
      undecodable = undecodable ?? .notDecodable("at byte \(place.offset): \(reason)")
    }
  }
}
