import Foundation
import Millrace
import MillraceDescriptors

/// The files of one stored value: the current generation, the one before, and what was set aside.
///
/// A save writes the new generation beside the current one, gives the current one its second name, and puts
/// the new one in its place. Wherever that is broken off, the current or the previous name is a whole file.
/// Nothing is saved over a file that was not seen by a load or written by a save before.
struct StorageFiles<Value: Sendable> {
  /// The known files of the two names; `nil` for a name without a file.
  private struct Seen {
    var current: FileIdentity?
    var previous: FileIdentity?
  }

  /// The file of one name.
  private enum Contents {
    case missing
    case good(StorageRecord, Value, FileIdentity)
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
  /// `nil` where it is not known what is there.
  private var seen: Seen?
  /// Whether nothing is saved before the next load, since what was stored was to be removed.
  var mustLoad = false

  private var previousPath: String { neighbour(of: path, ".previous") }

  init(_ path: String, format: StorageFormat<Value>, disk: any Disk) {
    self.path = path
    self.format = format
    self.disk = disk
  }

  /// Gives up the lock and forgets what was seen.
  mutating func close() {
    (lock, seen) = (nil, nil)
  }

  mutating func load() throws(StorageFailure) -> StoredValue<Value> {
    try takeLock()
    (seen, mustLoad) = (nil, false)
    let (newest, before) = try bothContents()
    var result = StoredValue<Value>()
    var found = Seen()
    switch newest {
    case .good(let record, let value, let identity):
      (result.value, result.generation, result.source) = (value, record.generation, .current)
      found = Seen(current: identity, previous: try disk.identity(of: previousPath))
      seen = found
      return result
    case .damaged(let reason): result.damaged.append(try setAside(path, reason))
    case .missing: break
    }
    switch before {
    case .good(let record, let value, let identity):
      (result.value, result.generation, result.source) = (value, record.generation, .previous)
      found.previous = identity
    case .damaged(let reason): result.damaged.append(try setAside(previousPath, reason))
    case .missing: break
    }
    seen = found
    return result
  }

  /// Reads the current file and changes nothing.
  func examined() throws(StorageFailure) -> (StoredValue<Value>?, DamagedFile.Reason?) {
    switch try bothContents().newest {
    case .good(let record, let value, _):
      (StoredValue(value: value, generation: record.generation, source: .current), nil)
    case .damaged(let reason): (nil, reason)
    case .missing: (nil, nil)
    }
  }

  /// Removes both generations and the lock file, and gives up the lock. Files that are or were set aside stay.
  mutating func remove() throws(StorageFailure) {
    _ = try load()
    seen = nil
    // The current one last: broken off before that, this leaves the newest value and not an older one.
    for suffix in [".new", ".previous.new"] {
      _ = try disk.removeLeftover(neighbour(of: path, suffix), magic: StorageRecord.magic)
    }
    for name in [previousPath, path] { try disk.remove(name) }
    try disk.syncFolder(of: path)
    try disk.removeLock(neighbour(of: path, ".lock"))
    close()
  }

  /// Saves a value over what was seen, or where nothing is.
  mutating func save(_ value: Value, generation: UInt64) throws(StorageFailure) {
    guard !mustLoad else { throw .notLoaded(path) }
    let payload: Data
    do { payload = try format.encode(value) } catch { throw .notEncodable(String(describing: error)) }
    try takeLock()
    var seen = try unchanged()
    self.seen = seen
    let record = StorageRecord(version: format.version, generation: generation, payload: payload)
    let (new, second) = (neighbour(of: path, ".new"), neighbour(of: path, ".previous.new"))
    guard try disk.removeLeftover(second, magic: StorageRecord.magic) else { throw .foreignFile(second) }
    let identity = try disk.write(record.bytes, to: new)
    do throws(StorageFailure) {
      if seen.current != nil {
        try disk.link(path, to: second)
        try disk.rename(second, to: previousPath)
        seen.previous = seen.current
        self.seen = seen
        try disk.remove(second)  // where both name one file already, renaming leaves both
      }
      try disk.rename(new, to: path)
      seen.current = identity
      self.seen = seen
    } catch {
      try? disk.remove(new)
      try? disk.remove(second)
      throw error
    }
    try disk.syncFolder(of: path)
  }

  // MARK: What is there

  private mutating func takeLock() throws(StorageFailure) {
    if lock == nil { lock = try disk.lock(neighbour(of: path, ".lock")) }
  }

  /// The file that was seen and is still there.
  ///
  /// - Throws: if there is anything that was not seen, or that somebody has changed since.
  private mutating func unchanged() throws(StorageFailure) -> Seen {
    let found = Seen(current: try disk.identity(of: path), previous: try disk.identity(of: previousPath))
    let isSeen =
      (found.current == nil || found.current == seen?.current)
      && (found.previous == nil || found.previous == seen?.previous)
    if isSeen { return found }
    seen = nil
    _ = try bothContents()
    throw .notLoaded(path)
  }

  /// Reads and verifies both files; the second one only where the first is not good.
  ///
  /// - Throws: if one of them is to be left alone.
  private func bothContents() throws(StorageFailure) -> (newest: Contents, before: Contents) {
    let newest = try contents(of: path)
    if case .good = newest { return (newest, .missing) }
    let before = try contents(of: previousPath)
    // A name with nothing by it that is known to be of this storage is somebody else's.
    if case .damaged(.notThisFormat) = newest, !before.isRecognised { throw .foreignFile(path) }
    if case .damaged(.notThisFormat) = before, !newest.isRecognised { throw .foreignFile(previousPath) }
    return (newest, before)
  }

  /// Reads and verifies one file.
  private func contents(of path: String) throws(StorageFailure) -> Contents {
    guard let (bytes, identity) = try disk.contents(of: path) else { return .missing }
    let record: StorageRecord
    do throws(DamagedFile.Reason) { record = try StorageRecord(bytes) } catch { return .damaged(error) }
    guard record.version <= format.version else {
      throw .newerVersion(path, found: record.version, known: format.version)
    }
    guard record.version >= format.oldestVersion else {
      throw .notMigratable(
        path, from: record.version, reason: "the oldest known version is \(format.oldestVersion)")
    }
    do { return .good(record, try format.decode(record.payload, record.version), identity) } catch {
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
