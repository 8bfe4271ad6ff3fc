import Foundation

/// The file of a journal, and where in it the value of each key is.
struct JournalFiles<Key: Hashable & Sendable, Value: Sendable> {
  private let format: JournalFormat<Key, Value>
  private var file: NamedLog
  private var index = JournalIndex<Key>()
  /// Whether nothing may be written before the next load. It is set when the file is not the one that was loaded, and
  /// when the storage is asked to remove the file.
  private var mustLoad = false

  init(_ path: String, format: JournalFormat<Key, Value>, disk: any Disk) {
    self.format = format
    file = NamedLog(path, magic: "MRJ1", disk: disk)
  }

  /// Releases the lock and forgets what was loaded.
  mutating func close() {
    file.close()
    index = JournalIndex()
  }

  mutating func load() throws(StorageFailure) -> StoredEntries<Key, Value> {
    try file.takeLock()
    index = JournalIndex()
    let (reading, scan) = try read()
    (index, mustLoad) = (reading.index, false)
    var stored = StoredEntries(entries: reading.entries)
    if let reason = scan?.damage ?? reading.undecodable { stored.damaged = [try file.keepAside(reason)] }
    return stored
  }

  /// Reads the file and changes nothing.
  func examined() throws(StorageFailure) -> (StoredEntries<Key, Value>?, DamagedFile.Reason?) {
    var copy = self
    let (reading, scan) = try copy.read()
    return (scan.map { _ in StoredEntries(entries: reading.entries) }, scan?.damage ?? reading.undecodable)
  }

  private mutating func read() throws(StorageFailure) -> (JournalReading<Key, Value>, LogScan?) {
    var reading = JournalReading(file.path, format: format)
    let scan = try file.scan { record, place throws(StorageFailure) in try reading.take(record, at: place) }
    return (reading, scan)
  }

  /// Appends all changes or none. The file must have been loaded, or not exist.
  mutating func append(_ changes: [(key: Key, change: JournalChange<Value>)]) throws(StorageFailure) {
    try prepare()
    guard !changes.isEmpty else { return }
    let format = format
    var places: [(key: Key, place: LogPlace, isSet: Bool)] = []
    places.reserveCapacity(changes.count)
    let end = try file.append { batch throws(StorageFailure) in
      for (key, change) in changes {
        places.append((key, try batch.add(format.record(key, change)), change.value != nil))
      }
    }
    for (key, place, isSet) in places { index.wrote(key, at: place, isSet: isSet) }
    guard index.isWorthCompacting(end: end) else { return }
    // Without room for a second file, the old file continues to grow.
    do throws(StorageFailure) { try rewrite() } catch { index.compactionFailed(end: end) }
  }

  /// Appends the changes that can be encoded, all or none of them. Returns the keys of the others.
  mutating func appendEncodable(
    _ changes: [(key: Key, change: JournalChange<Value>)]
  ) throws(StorageFailure) -> [Key] {
    let others = Set(changes.filter { (try? format.record($0.key, $0.change)) == nil }.map(\.key))
    try append(changes.filter { !others.contains($0.key) })
    return Array(others)
  }

  mutating func compact() throws(StorageFailure) {
    try prepare()
    try rewrite()
    try file.syncFolder()
  }

  /// Removes the file, the lock file and the commands from outside, and releases the lock. Files set aside stay.
  mutating func remove() throws(StorageFailure) {
    defer { mustLoad = true }
    _ = try load()
    index = JournalIndex()
    try file.remove()
    let commands = CommandFolder(of: file.path, disk: file.disk)
    commands.remove(Set(commands.contents().commands.map(\.name)))
  }

  /// Verifies that changes can be appended to the file, and rewrites it first where needed.
  private mutating func prepare() throws(StorageFailure) {
    // This check precedes the lock, so that a storage that was removed creates no lock file.
    if mustLoad, try file.disk.identity(of: file.path) == nil { throw .notLoaded(file.path) }
    try file.takeLock()
    do throws(StorageFailure) {
      switch try file.fate() {
      case .same: break
      case .mustBeRewritten: try rewrite()
      // The entries are lost with the part that was cut off. A load reports that.
      case .cut: throw try file.unseen()
      }
    } catch {
      if file.log == nil, !index.places.isEmpty { (index, mustLoad) = (JournalIndex(), true) }
      throw error
    }
    try file.syncFolder()
  }

  /// Replaces the file by a new one with all entries.
  private mutating func rewrite() throws(StorageFailure) {
    let (format, path, log) = (format, file.path, file.log)
    var new = JournalIndex<Key>()
    let entries = index.placesInOrder
    try file.install { batch throws(StorageFailure) in
      for (key, place) in entries {
        guard var record = try log?.record(at: place) else {
          throw .unreadable("\(path): an entry was damaged while the file was open", errorNumber: EIO)
        }
        if record.version < format.version { record = try format.renewed(record, path) }
        new.wrote(key, at: try batch.add(record), isSet: true)
      }
    }
    index = new
  }
}

extension JournalFormat {
  fileprivate func record(_ key: Key, _ change: JournalChange<Value>) throws(StorageFailure) -> LogRecord {
    do {
      return LogRecord(
        kind: change.value == nil ? .removed : .set, version: version, key: try encodeKey(key),
        payload: try change.value.map(encodeValue) ?? Data())
    } catch { throw .notEncodable("the entry of \(key): \(error)") }
  }

  /// Converts a record of an older version to the current version.
  fileprivate func renewed(_ record: LogRecord, _ path: String) throws(StorageFailure) -> LogRecord {
    do {
      var renewed = record
      renewed.key = try encodeKey(decodeKey(record.key, record.version))
      renewed.payload = try encodeValue(decodeValue(record.payload, record.version))
      renewed.version = version
      return renewed
    } catch { throw .notMigratable(path, from: record.version, reason: String(describing: error)) }
  }
}
