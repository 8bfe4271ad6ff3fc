import Foundation
import Millrace
import MillraceDescriptors

/// The files of one stored value: the current generation, the previous one, and what was set aside.
///
/// A save writes the new generation beside the current one, gives the current one its second name, and renames the new
/// one to the path. If a step is interrupted, the current or the previous name is still a whole file. A save overwrites
/// only a file that was loaded or saved before.
struct StorageFiles<Value: Sendable> {
  /// The known files at the two names; `nil` for a name without a file.
  private struct Seen {
    var current: FileIdentity?
    var previous: FileIdentity?
  }

  /// The file of one name.
  private enum Contents {
    case missing
    case good(StorageRecord, Value, FileIdentity)
    case damaged(DamagedFile.Reason)

    /// Whether a storage is known to have written it.
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
  /// The files that were loaded or saved; `nil` if the files at the paths are unknown.
  private var seen: Seen?
  /// Whether nothing may be saved before the next load, because the storage was asked to remove the files.
  private var mustLoad = false

  private var previousPath: String { neighbour(of: path, ".previous") }

  init(_ path: String, format: StorageFormat<Value>, disk: any Disk) {
    self.path = path
    self.format = format
    self.disk = disk
  }

  /// Releases the lock and forgets the known files.
  mutating func close() {
    (lock, seen) = (nil, nil)
  }

  mutating func load() throws(StorageFailure) -> StoredValue<Value> {
    try takeLock()
    (seen, mustLoad) = (nil, false)
    let (newest, before) = try bothContents()
    var result = StoredValue<Value>()
    var found = Seen()
    for (path, contents) in [(path, newest), (previousPath, before)] {
      switch contents {
      case .good(let record, let value, let identity):
        (result.value, result.generation) = (value, record.generation)
        if path == self.path {
          (result.source, found.current) = (.current, identity)
          found.previous = try disk.identity(of: previousPath)
        } else {
          (result.source, found.previous) = (.previous, identity)
        }
      case .damaged(let reason): result.damaged.append(try disk.keepAside(path, reason, moving: true))
      case .missing: break
      }
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

  /// Removes both generations and the lock file, and releases the lock. Files that were set aside stay.
  mutating func remove() throws(StorageFailure) {
    defer { mustLoad = true }
    _ = try load()
    seen = nil
    for suffix in [".new", ".previous.new"] {
      _ = try disk.removeLeftover(neighbour(of: path, suffix), magic: StorageRecord.magic)
    }
    // The current file is removed last. If the removal is interrupted, the newest value is left and not an older one.
    for name in [previousPath, path] { try disk.remove(name) }
    try disk.syncFolder(of: path)
    try disk.removeLock(neighbour(of: path, ".lock"))
    close()
  }

  /// Saves a value. It replaces a known file, or there is no file.
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
        try disk.remove(second)  // if both names are one file already, a rename leaves both
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

  // MARK: The lock and the known files

  private mutating func takeLock() throws(StorageFailure) {
    if lock == nil { lock = try disk.lock(neighbour(of: path, ".lock")) }
  }

  /// Returns the known files that still exist.
  ///
  /// - Throws: if there is an unknown file, or if another process has changed one.
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

  /// Reads and verifies both files. Reads the previous one only if the current one is not good.
  ///
  /// - Throws: if one of them must be left unchanged.
  private func bothContents() throws(StorageFailure) -> (newest: Contents, before: Contents) {
    let newest = try contents(of: path)
    if case .good = newest { return (newest, .missing) }
    let before = try contents(of: previousPath)
    // A file of unknown contents is foreign, unless the other file shows that a storage has written here.
    if case .damaged(.notThisFormat) = newest, !before.isRecognised { throw .foreignFile(path) }
    if case .damaged(.notThisFormat) = before, !newest.isRecognised { throw .foreignFile(previousPath) }
    return (newest, before)
  }

  /// Reads and verifies one file.
  private func contents(of path: String) throws(StorageFailure) -> Contents {
    guard let (bytes, identity) = try disk.contents(of: path) else { return .missing }
    let record: StorageRecord
    do throws(DamagedFile.Reason) { record = try StorageRecord(bytes) } catch { return .damaged(error) }
    try StorageFailure.verify(record.version, from: format.oldestVersion, to: format.version, in: path)
    do { return .good(record, try format.decode(record.payload, record.version), identity) } catch {
      let reason = String(describing: error)
      if record.version < format.version {
        throw .notMigratable(path, from: record.version, reason: reason)
      }
      return .damaged(.notDecodable(reason))
    }
  }
}
