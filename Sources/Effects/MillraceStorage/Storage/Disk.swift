import Foundation
import Millrace
import MillraceDescriptors

/// The file system, as storage uses it. Tests replace it by one that fails, or ends the process, at a chosen step.
protocol Disk: Sendable {
  /// The contents of a file, and which file it is; `nil` if there is none.
  func contents(of path: String) throws(StorageFailure) -> (bytes: Data, identity: FileIdentity)?
  /// Opens a file for reading and writing; `nil` if there is none.
  func open(_ path: String) throws(StorageFailure) -> (any DiskFile)?
  /// Makes a new, empty file, in place of what an earlier, broken attempt has left.
  func create(_ path: String, magic: Data) throws(StorageFailure) -> any DiskFile
  /// Identifies the file at a path; `nil` if there is none.
  func identity(of path: String) throws(StorageFailure) -> FileIdentity?
  /// Gives a file a second name, which is free.
  func link(_ path: String, to other: String) throws(StorageFailure)
  /// Moves a file, in place of another one, in one step.
  func rename(_ path: String, to other: String) throws(StorageFailure)
  /// Removes what an earlier, broken attempt has left: an empty file, or one that begins with `magic`. It need not be
  /// there.
  ///
  /// - Returns: whether there is nothing by that name now; `false` if there is something else.
  func removeLeftover(_ path: String, magic: Data) throws(StorageFailure) -> Bool
  /// Removes a name; it need not be there.
  func remove(_ path: String) throws(StorageFailure)
  /// Whether there is anything by that name.
  func exists(_ path: String) -> Bool
  /// Returns when the names in the folder of `path` are on the medium.
  func syncFolder(of path: String) throws(StorageFailure)
  /// Takes the lock whose file is `path`, until the result is released.
  func lock(_ path: String) throws(StorageFailure) -> DiskLock
}

extension Disk {
  /// Removes a lock file, whose lock is held, but not one in which somebody has written something.
  func removeLock(_ path: String) throws(StorageFailure) {
    if try identity(of: path)?.size == 0 { try remove(path) }
  }

  /// A name by which there is nothing, for a damaged file.
  func freeName(forDamaged path: String) -> String {
    var number = 1
    while exists(Self.damagedName(of: path, number)) { number += 1 }
    return Self.damagedName(of: path, number)
  }

  private static func damagedName(of path: String, _ number: Int) -> String {
    neighbour(of: path, number == 1 ? ".damaged" : ".damaged-\(number)")
  }

  /// Gives a damaged file a second name, under which it is kept when the first is given to another file.
  func keepAside(_ path: String, _ reason: DamagedFile.Reason) throws(StorageFailure) -> DamagedFile {
    let own = try identity(of: path)
    var number = 1
    while true {
      let name = Self.damagedName(of: path, number)
      let found = try identity(of: name)
      if found == nil { try link(path, to: name) }
      // An earlier load may have kept it aside already.
      if let found, let own, !found.isSameFile(as: own) {
        number += 1
        continue
      }
      return DamagedFile(path: path, setAsideAs: name, reason: reason)
    }
  }
}

/// A lock that is held for as long as this object is.
final class DiskLock: Sendable {
  private let release: @Sendable () -> Void
  init(release: @escaping @Sendable () -> Void) { self.release = release }
  deinit { release() }
}
