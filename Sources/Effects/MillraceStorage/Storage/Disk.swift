import Foundation
import Millrace
import MillraceDescriptors

/// The operations of the file system that storage uses. Tests replace them by ones that fail, or end the process, at a
/// chosen step.
protocol Disk: Sendable {
  /// Reads a file and identifies it; returns `nil` if there is none.
  func contents(of path: String) throws(StorageFailure) -> (bytes: Data, identity: FileIdentity)?
  /// Opens a file for reading and writing; returns `nil` if there is none.
  func open(_ path: String) throws(StorageFailure) -> (any DiskFile)?
  /// Makes a new, empty file. It replaces a file that an interrupted attempt has left.
  func create(_ path: String, magic: Data) throws(StorageFailure) -> any DiskFile
  /// Identifies the file at a path; returns `nil` if there is none.
  func identity(of path: String) throws(StorageFailure) -> FileIdentity?
  /// Gives a file a second name, which must not exist.
  func link(_ path: String, to other: String) throws(StorageFailure)
  /// Moves a file in one atomic step, and replaces the file at `other`.
  func rename(_ path: String, to other: String) throws(StorageFailure)
  /// Removes a file that an interrupted attempt has left, if it exists. Such a file is empty or begins with `magic`.
  ///
  /// - Returns: whether nothing has that name now; `false` if another file has it.
  func removeLeftover(_ path: String, magic: Data) throws(StorageFailure) -> Bool
  /// Removes a name, if it exists.
  func remove(_ path: String) throws(StorageFailure)
  /// Waits until the names in the folder of `path` are on the medium.
  func syncFolder(of path: String) throws(StorageFailure)
  /// Takes the lock with the file `path`, until the result is released.
  func lock(_ path: String) throws(StorageFailure) -> DiskLock
}

extension Disk {
  /// Removes a lock file, whose lock must be held. A lock file with contents stays.
  func removeLock(_ path: String) throws(StorageFailure) {
    if try identity(of: path)?.size == 0 { try remove(path) }
  }

  /// Whether anything has that name.
  func exists(_ path: String) -> Bool { (try? identity(of: path)) != nil }

  /// Gives a damaged file a second name, under which it is kept when the first name is given to another file.
  ///
  /// - Parameter moving: whether it loses the first name at once, which file systems without second names can do, too.
  func keepAside(
    _ path: String, _ reason: DamagedFile.Reason, moving: Bool = false
  ) throws(StorageFailure) -> DamagedFile {
    let own = try identity(of: path)
    var number = 0
    while true {
      number += 1
      let name = neighbour(of: path, number == 1 ? ".damaged" : ".damaged-\(number)")
      let found = try identity(of: name)
      // The existing file is another one, unless an earlier load has kept this file under that name.
      if let found, let own, !found.isSameFile(as: own) { continue }
      if moving {
        try rename(path, to: name)
        try remove(path)  // a second name of one file is left by the move
      } else if found == nil {
        try link(path, to: name)
      }
      return DamagedFile(path: path, setAsideAs: name, reason: reason)
    }
  }
}

/// A lock that is held until this object is released.
final class DiskLock: Sendable {
  private let release: @Sendable () -> Void
  init(release: @escaping @Sendable () -> Void) { self.release = release }
  deinit { release() }
}
