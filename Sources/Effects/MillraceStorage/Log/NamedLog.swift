import Foundation
import Millrace
import MillraceDescriptors

/// A log with its path: its lock, the check whether the file at the path is the one that was read, and its replacement.
///
/// | field | what | until |
/// |---|---|---|
/// | `lock` | excludes other processes | `close()` |
/// | `log` | the file that was read or made; `nil` if the file at the path is unknown | another file is found |
/// | `needsRewriting` | the file is damaged, and nothing may be added to it | it is replaced |
/// | `needsFolderSync` | the name of the file may not be on the medium | the folder is synced |
struct NamedLog {
  /// The change of a file since it was read.
  enum Fate {
    case same
    /// There is no file at the path any more, or it is damaged, and nothing may be added to it.
    case mustBeRewritten
    /// The file is shorter than it was.
    case cut(DamagedFile.Reason)
  }

  let disk: any Disk
  let path: String
  private let magic: Data
  private var lock: DiskLock?
  private(set) var log: LogFile?
  private var needsRewriting = false
  private var needsFolderSync = false

  init(_ path: String, magic: String, disk: any Disk) {
    self.path = path
    self.magic = Data(magic.utf8)
    self.disk = disk
  }

  /// Releases the lock and forgets the file.
  mutating func close() { (lock, log, needsRewriting) = (nil, nil, false) }

  mutating func takeLock() throws(StorageFailure) {
    if lock == nil { lock = try disk.lock(neighbour(of: path, ".lock")) }
  }

  // MARK: Reading

  /// Reads the file; returns `nil` if there is none.
  mutating func scan(_ visit: LogScan.Visit) throws(StorageFailure) -> LogScan? {
    (log, needsRewriting) = (nil, false)
    guard let file = try disk.open(path) else { return nil }
    let scan = try LogScan(file, magic: magic, visit)
    guard scan.isRecognised else { throw .foreignFile(path) }
    log = LogFile(file, magic: magic, after: scan)
    return scan
  }

  /// Gives the file a second name, under which it is kept. The file stays at its path until something is added. So
  /// every load before that reports the damage too.
  mutating func keepAside(_ reason: DamagedFile.Reason) throws(StorageFailure) -> DamagedFile {
    let damaged = try disk.keepAside(path, reason)
    needsRewriting = true
    return damaged
  }

  /// Verifies that the file is the one that was read.
  ///
  /// - Throws: if it is another file, or if no file was read.
  mutating func fate() throws(StorageFailure) -> Fate {
    let found = try disk.identity(of: path)
    guard let log else {
      guard found == nil else { throw try unseen() }
      return .mustBeRewritten
    }
    guard let found else { return .mustBeRewritten }
    let own = try log.file.identity()
    guard found.isSameFile(as: own) else { throw try unseen() }
    if needsRewriting { return .mustBeRewritten }
    guard own.size < log.reserved else { return .same }
    return .cut(.wrongLength(expected: Int(clamping: log.reserved), found: Int(clamping: own.size)))
  }

  /// Returns the failure for a file that was not read.
  mutating func unseen() throws(StorageFailure) -> StorageFailure {
    log = nil
    guard let file = try disk.open(path) else { return .notLoaded(path) }
    let scan = try LogScan(file, magic: magic) { _, _ throws(StorageFailure) in }
    return scan.isRecognised ? .notLoaded(path) : .foreignFile(path)
  }

  // MARK: Writing

  /// Adds a batch, waits until it is on the medium, and returns its end. The file must have been read or made.
  mutating func append(
    _ write: (inout LogBatch) throws(StorageFailure) -> Void
  ) throws(StorageFailure) -> UInt64 {
    guard var log else { throw .notLoaded(path) }
    defer { self.log = log }
    try log.append(write)
    return log.end
  }

  /// Replaces the file by a new one. The name of the new file is on the medium after `syncFolder()`.
  mutating func install(
    _ write: (inout LogBatch) throws(StorageFailure) -> Void
  ) throws(StorageFailure) {
    let new = neighbour(of: path, ".new")
    let file = try disk.create(new, magic: magic)
    do throws(StorageFailure) {
      let log = try LogFile(newFile: file, magic: magic, write)
      try disk.rename(new, to: path)
      (self.log, needsRewriting, needsFolderSync) = (log, false, true)
    } catch {
      try? disk.remove(new)
      throw error
    }
  }

  /// Waits until the name of the file is on the medium. Nothing is acknowledged before.
  mutating func syncFolder() throws(StorageFailure) {
    guard needsFolderSync else { return }
    try disk.syncFolder(of: path)
    needsFolderSync = false
  }

  /// Removes the file and the lock file, and releases the lock.
  mutating func remove() throws(StorageFailure) {
    log = nil
    _ = try disk.removeLeftover(neighbour(of: path, ".new"), magic: magic)
    try disk.remove(path)
    try disk.syncFolder(of: path)
    try disk.removeLock(neighbour(of: path, ".lock"))
    close()
  }
}
