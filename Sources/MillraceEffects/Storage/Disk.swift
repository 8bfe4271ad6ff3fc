import Foundation

/// What storage asks of a file system. Tests put one in its place that fails, or dies, at a chosen step.
protocol Disk: Sendable {
  /// The contents of a file; `nil` if there is none.
  func contents(of path: String) throws(StorageFailure) -> Data?
  /// Makes a new file, in place of an old one, and returns when its contents are on the medium.
  func write(_ bytes: Data, to path: String) throws(StorageFailure)
  /// Adds to the end of a file that exists, and returns when what was added is on the medium.
  func append(_ bytes: Data, to path: String) throws(StorageFailure)
  /// Gives a file a second name, which is free.
  func link(_ path: String, to other: String) throws(StorageFailure)
  /// Moves a file, in place of another one, in one step.
  func rename(_ path: String, to other: String) throws(StorageFailure)
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
  /// A name by which there is nothing, for a damaged file.
  func freeName(forDamaged path: String) -> String {
    let name = path + ".damaged"
    guard exists(name) else { return name }
    var number = 2
    while exists("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }
}

/// A lock that is held for as long as this object is.
final class DiskLock: Sendable {
  private let release: @Sendable () -> Void
  init(release: @escaping @Sendable () -> Void) { self.release = release }
  deinit { release() }
}
