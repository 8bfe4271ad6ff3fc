import Foundation
import Millrace

@testable import MillraceStorage

/// The real file system, with a script that is called before each step that changes anything.
///
/// A step for which the script throws is not made. A write may be made in part first.
struct ScriptedDisk: Disk {
  enum Step: Equatable {
    case create
    /// Writing at the beginning of a file.
    case write
    /// Writing behind that.
    case append
    case extend
    case sync
    case link
    case rename
    case remove
    case syncFolder
  }

  private let disk = PosixDisk()
  let script: @Sendable (Step) throws(StorageFailure) -> Void
  var partOfWrite = 0
  /// Called before the file at a path is read as a whole.
  private var reading: @Sendable (String) throws(StorageFailure) -> Void = { _ in }

  init(partOfWrite: Int = 0, script: @escaping @Sendable (Step) throws(StorageFailure) -> Void) {
    self.partOfWrite = partOfWrite
    self.script = script
  }

  /// A disk on which nothing but reading a whole file can fail.
  static func reading(_ script: @escaping @Sendable (String) throws(StorageFailure) -> Void) -> ScriptedDisk {
    var disk = ScriptedDisk(script: { _ in })
    disk.reading = script
    return disk
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

  func contents(of path: String) throws(StorageFailure) -> (bytes: Data, identity: FileIdentity)? {
    try reading(path)
    return try disk.contents(of: path)
  }
  func identity(of path: String) throws(StorageFailure) -> FileIdentity? { try disk.identity(of: path) }
  func lock(_ path: String) throws(StorageFailure) -> DiskLock { try disk.lock(path) }

  func open(_ path: String) throws(StorageFailure) -> (any DiskFile)? {
    try disk.open(path).map { ScriptedFile(disk: self, file: $0) }
  }

  func create(_ path: String, magic: Data) throws(StorageFailure) -> any DiskFile {
    try script(.create)
    return ScriptedFile(disk: self, file: try disk.create(path, magic: magic))
  }

  func link(_ path: String, to other: String) throws(StorageFailure) {
    try script(.link)
    try disk.link(path, to: other)
  }

  func rename(_ path: String, to other: String) throws(StorageFailure) {
    try script(.rename)
    try disk.rename(path, to: other)
  }

  func removeLeftover(_ path: String, magic: Data) throws(StorageFailure) -> Bool {
    try script(.remove)
    return try disk.removeLeftover(path, magic: magic)
  }

  func remove(_ path: String) throws(StorageFailure) {
    try script(.remove)
    try disk.remove(path)
  }

  func syncFolder(of path: String) throws(StorageFailure) {
    try script(.syncFolder)
    try disk.syncFolder(of: path)
  }
}

private struct ScriptedFile: DiskFile {
  let disk: ScriptedDisk
  let file: any DiskFile

  func identity() throws(StorageFailure) -> FileIdentity { try file.identity() }
  func read(at offset: UInt64, count: Int) throws(StorageFailure) -> Data {
    try file.read(at: offset, count: count)
  }

  func write(_ bytes: Data, at offset: UInt64) throws(StorageFailure) {
    do throws(StorageFailure) { try disk.script(offset == 0 ? .write : .append) } catch {
      try file.write(bytes.prefix(disk.partOfWrite), at: offset)
      throw error
    }
    try file.write(bytes, at: offset)
  }

  func extend(to size: UInt64) throws(StorageFailure) {
    try disk.script(.extend)
    try file.extend(to: size)
  }

  func sync() throws(StorageFailure) {
    try disk.script(.sync)
    try file.sync()
  }
}
