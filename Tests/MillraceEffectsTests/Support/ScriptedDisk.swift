import Foundation
import Millrace

@testable import MillraceEffects

/// The real file system, with a script that is called before each step that changes anything.
///
/// A step for which the script throws is not made. A write may be made in part first.
struct ScriptedDisk: Disk {
  enum Step: Equatable {
    case write
    case append
    case link
    case rename
    case remove
    case sync
  }

  private let disk = PosixDisk()
  let script: @Sendable (Step) throws(StorageFailure) -> Void
  var partOfWrite = 0

  init(partOfWrite: Int = 0, script: @escaping @Sendable (Step) throws(StorageFailure) -> Void) {
    self.partOfWrite = partOfWrite
    self.script = script
  }

  /// A disk on which the first `count` steps succeed and all others fail.
  init(failingAfter count: Int, with failure: StorageFailure, partOfWrite: Int = 0) {
    let steps = Lock(0)
    self.init(partOfWrite: partOfWrite) { _ throws(StorageFailure) in
      let step = steps.withLock { steps in
        steps += 1
        return steps
      }
      if step > count { throw failure }
    }
  }

  func contents(of path: String) throws(StorageFailure) -> Data? { try disk.contents(of: path) }
  func exists(_ path: String) -> Bool { disk.exists(path) }
  func lock(_ path: String) throws(StorageFailure) -> DiskLock { try disk.lock(path) }

  func write(_ bytes: Data, to path: String) throws(StorageFailure) {
    do throws(StorageFailure) { try script(.write) } catch {
      try disk.write(bytes.prefix(partOfWrite), to: path)
      throw error
    }
    try disk.write(bytes, to: path)
  }

  func append(_ bytes: Data, to path: String) throws(StorageFailure) {
    do throws(StorageFailure) { try script(.append) } catch {
      try disk.append(bytes.prefix(partOfWrite), to: path)
      throw error
    }
    try disk.append(bytes, to: path)
  }

  func link(_ path: String, to other: String) throws(StorageFailure) {
    try script(.link)
    try disk.link(path, to: other)
  }

  func rename(_ path: String, to other: String) throws(StorageFailure) {
    try script(.rename)
    try disk.rename(path, to: other)
  }

  func remove(_ path: String) throws(StorageFailure) {
    try script(.remove)
    try disk.remove(path)
  }

  func syncFolder(of path: String) throws(StorageFailure) {
    try script(.sync)
    try disk.syncFolder(of: path)
  }
}
