import Foundation
import Millrace
import MillraceDescriptors

/// A log by its path: who has it, whether the file there is the one that was read, and its replacement as a whole.
///
/// | field | what | ends |
/// |---|---|---|
/// | `lock` | keeps others out | with `close()` |
/// | `log` | the file that was read or made; `nil` where it is not known what is there | when another file is found |
/// | `needsRewriting` | the file is damaged, and nothing may be added to it | when it was replaced |
/// | `needsFolderSync` | the name of the file may not be on the medium | when the folder was synced |
struct NamedLog {
  /// The change of a file since it was read.
  enum Fate {
    case same
    /// There is nothing by the name any more.
    case takenAway
    /// It is shorter than it was.
    case cut(DamagedFile.Reason)
  }

  let disk: any Disk
  let path: String
  private let magic: Data
  private var lock: DiskLock?
  private(set) var log: LogFile?
  private(set) var needsRewriting = false
  private var needsFolderSync = false

  init(_ path: String, magic: String, disk: any Disk) {
    self.path = path
    self.magic = Data(magic.utf8)
    self.disk = disk
  }

  /// Gives up the lock and forgets the file.
  mutating func close() { (lock, log, needsRewriting) = (nil, nil, false) }

  mutating func takeLock() throws(StorageFailure) {
    if lock == nil { lock = try disk.lock(neighbour(of: path, ".lock")) }
  }

  // MARK: Reading

  /// Reads the file; `nil` if there is none.
  mutating func scan(_ visit: LogScan.Visit) throws(StorageFailure) -> LogScan? {
    (log, needsRewriting) = (nil, false)
    guard let file = try disk.open(path) else { return nil }
    let scan = try LogScan(file, magic: magic, visit)
    guard scan.isRecognised else { throw .foreignFile(path) }
    log = LogFile(file, magic: magic, after: scan)
    return scan
  }

  /// Keeps the file aside under a second name. It stays as it is until something is added, so that whoever reads it
  /// before is told of the damage as well.
  mutating func keepAside(_ reason: DamagedFile.Reason) throws(StorageFailure) -> DamagedFile {
    let damaged = try disk.keepAside(path, reason)
    needsRewriting = true
    return damaged
  }

  /// Looks whether the file is still the one that was read.
  ///
  /// - Throws: if it is another, or one that was not read.
  mutating func fate() throws(StorageFailure) -> Fate {
    let found = try disk.identity(of: path)
    guard let log else {
      guard found == nil else { throw try unseen() }
      return .takenAway
    }
    guard let found else { return .takenAway }
    let own = try log.file.identity()
    guard found.isSameFile(as: own) else { throw try unseen() }
    guard !needsRewriting, own.size < log.reserved else { return .same }
    return .cut(.wrongLength(expected: Int(clamping: log.reserved), found: Int(clamping: own.size)))
  }

  /// The error for a file that was not read.
  mutating func unseen() throws(StorageFailure) -> StorageFailure {
    log = nil
    guard let file = try disk.open(path) else { return .notLoaded(path) }
    let scan = try LogScan(file, magic: magic) { _, _ throws(StorageFailure) in }
    return scan.isRecognised ? .notLoaded(path) : .foreignFile(path)
  }

  // MARK: Writing

  /// Adds a batch, and returns where it ends, once it is on the medium. The file must have been read or made.
  mutating func append(
    _ write: (inout LogBatch) throws(StorageFailure) -> Void
  ) throws(StorageFailure) -> UInt64 {
    guard var log else { throw .notLoaded(path) }
    defer { self.log = log }
    try log.append(write)
    return log.end
  }

  /// Puts a new file in the place of what is there. Its name is on the medium after `syncFolder()`.
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

  /// Nothing is acknowledged before the name of the file is on the medium.
  mutating func syncFolder() throws(StorageFailure) {
    guard needsFolderSync else { return }
    try disk.syncFolder(of: path)
    needsFolderSync = false
  }

  /// Removes the file and the lock file, and gives up the lock.
  mutating func remove() throws(StorageFailure) {
    log = nil
    _ = try disk.removeLeftover(neighbour(of: path, ".new"), magic: magic)
    try disk.remove(path)
    try disk.syncFolder(of: path)
    try disk.removeLock(neighbour(of: path, ".lock"))
    close()
  }
}
