import Foundation

/// The files of one stored value: the current generation, the one before, and what was set aside.
///
/// A save writes the new generation beside the current one, gives the current one its second name, and puts
/// the new one in its place. Wherever that is broken off, the current or the previous name is a whole file.
struct StorageFiles<Value: Sendable> {
  private enum Current {
    case unknown
    case missing
    case good
  }

  /// What is found by one name.
  private enum Contents {
    case missing
    case good(StorageRecord, Value)
    case damaged(DamagedFile.Reason)

    /// Whether it is known to have been written by a storage.
    var isRecognised: Bool {
      switch self {
      case .missing, .damaged(.notThisFormat): false
      case .good, .damaged: true
      }
    }
  }

  private let disk: any Disk
  private let path: String
  private let format: StorageFormat<Value>
  private var lock: DiskLock?
  private var current = Current.unknown

  private var previousPath: String { path + ".previous" }

  init(_ path: String, format: StorageFormat<Value>, disk: any Disk) {
    self.path = path
    self.format = format
    self.disk = disk
  }

  /// Gives up the lock; the next load or save takes it again.
  mutating func close() {
    lock = nil
    current = .unknown
  }

  mutating func load() throws(StorageFailure) -> StoredValue<Value> {
    try takeLock()
    let newest = try contents(of: path)
    if case .good(let record, let value) = newest {
      current = .good
      return StoredValue(value: value, generation: record.generation, source: .current)
    }
    let before = try contents(of: previousPath)
    // A name with nothing by it that is known to be of this storage is somebody else's.
    if case .damaged(.notThisFormat) = newest, !before.isRecognised { throw .foreignFile(path) }
    if case .damaged(.notThisFormat) = before, !newest.isRecognised { throw .foreignFile(previousPath) }
    var result = StoredValue<Value>()
    if case .damaged(let reason) = newest { result.damaged.append(try setAside(path, reason)) }
    current = .missing
    switch before {
    case .good(let record, let value):
      (result.value, result.generation, result.source) = (value, record.generation, .previous)
    case .damaged(let reason): result.damaged.append(try setAside(previousPath, reason))
    case .missing: break
    }
    return result
  }

  /// Removes both generations and the lock file, and gives up the lock. What is or was set aside stays.
  mutating func remove() throws(StorageFailure) {
    _ = try load()
    current = .unknown
    // The current one last: broken off before that, this leaves the newest value and not an older one.
    for suffix in [".new", ".previous.new", ".previous", ""] { try disk.remove(path + suffix) }
    try disk.syncFolder(of: path)
    try disk.remove(path + ".lock")
    close()
  }

  /// Saves a value. Returns what was found damaged in its place and set aside.
  mutating func save(_ value: Value, generation: UInt64) throws(StorageFailure) -> [DamagedFile] {
    let payload: Data
    do { payload = try format.encode(value) } catch { throw .notEncodable(String(describing: error)) }
    try takeLock()
    var damaged: [DamagedFile] = []
    if current == .unknown { damaged = try load().damaged }
    let record = StorageRecord(version: format.version, generation: generation, payload: payload)
    let (new, second) = (path + ".new", path + ".previous.new")
    do throws(StorageFailure) {
      try disk.write(record.bytes, to: new)
      if current == .good, disk.exists(path) {  // somebody may have taken it away meanwhile
        try disk.remove(second)
        try disk.link(path, to: second)
        try disk.rename(second, to: previousPath)
        try disk.remove(second)  // where both name one file already, renaming leaves both
      }
      try disk.rename(new, to: path)
    } catch {
      try? disk.remove(new)
      try? disk.remove(second)
      throw error
    }
    current = .good
    try disk.syncFolder(of: path)
    return damaged
  }

  private mutating func takeLock() throws(StorageFailure) {
    if lock == nil { lock = try disk.lock(path + ".lock") }
  }

  /// Reads and verifies one file.
  private func contents(of path: String) throws(StorageFailure) -> Contents {
    guard let bytes = try disk.contents(of: path) else { return .missing }
    let record: StorageRecord
    do throws(DamagedFile.Reason) { record = try StorageRecord(bytes) } catch { return .damaged(error) }
    guard record.version <= format.version else {
      throw .newerVersion(path, found: record.version, known: format.version)
    }
    guard record.version >= format.oldestVersion else {
      throw .notMigratable(
        path, from: record.version, reason: "the oldest known version is \(format.oldestVersion)")
    }
    do { return .good(record, try format.decode(record.payload, record.version)) } catch {
      let reason = String(describing: error)
      if record.version < format.version {
        throw .notMigratable(path, from: record.version, reason: reason)
      }
      return .damaged(.notDecodable(reason))
    }
  }

  private func setAside(
    _ path: String, _ reason: DamagedFile.Reason
  ) throws(StorageFailure) -> DamagedFile {
    let name = disk.freeName(forDamaged: path)
    try disk.rename(path, to: name)
    return DamagedFile(path: path, setAsideAs: name, reason: reason)
  }
}
