import Foundation
import TestSupport
import Testing

@testable import MillraceStorage

/// What another process, or one with fewer rights, makes of the same files.
@Suite struct OtherProcessTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("numbers") }
  init() throws { folder = try TemporaryFolder() }

  private func files() -> StorageFiles<[Int]> { StorageFiles(path, format: .json(), disk: PosixDisk()) }

  private func save(_ value: [Int]) throws {
    var files = files()
    try files.save(value, generation: 1)
    files.close()
  }

  private func outcome(of command: String, size: Int) throws -> [String] {
    try ProbeProcess(command, path, "\(size)").lines()
  }

  @Test("a file that another process has is locked, until that process is gone")
  func lockedByOther() throws {
    try save([1])
    var files = files()
    let failure = StorageFailure.locked(path + ".lock")
    let holder = try ProbeProcess("hold", path)
    #expect(holder.line() == "held")
    #expect(throws: failure) { try files.load() }
    #expect(throws: failure) { try files.save([2], generation: 2) }
    #expect(throws: failure) { try files.remove() }
    try holder.endInput()
    #expect(holder.lines().isEmpty)
    #expect(try files.load().value == [1])
  }

  @Test("a process that comes second is told, and writes nothing")
  func lockedForOther() throws {
    var files = files()
    try files.save([1], generation: 1)
    let failure = "\(StorageFailure.locked(path + ".lock"))"
    #expect(try outcome(of: "use", size: 1) == [failure, failure])
    #expect(try files.load().value == [1])
  }

  @Test("a process that is killed leaves no lock behind")
  func killed() throws {
    var files = files()
    let holder = try ProbeProcess("hold", path)
    #expect(holder.line() == "held")
    holder.kill()
    #expect(holder.lines().isEmpty)
    #expect(try files.load() == StoredValue())
  }

  @Test("a value that does not fit any more is told as a full disk, and what was stored stays")
  func full() throws {
    try save([1])
    let failure = "\(StorageFailure.diskFull(path + ".new"))"
    #expect(try outcome(of: "use-limited", size: 10_000) == ["loaded 1", failure])
    #expect(try files().read() == [1])
    #expect(folder.names == ["numbers", "numbers.lock"])
  }

  @Test("a folder that may be read and not written is told, and what was stored stays")
  func readOnly() throws {
    try save([1])
    if geteuid() == 0 {
      for name in ["", "numbers", "numbers.lock"] { #expect(chown(folder.file(name), 65534, 65534) == 0) }
    }
    #expect(chmod(folder.path, 0o555) == 0)
    defer { chmod(folder.path, 0o755) }
    let failure = "\(StorageFailure.permission(path + ".new"))"
    #expect(try outcome(of: "use-unprivileged", size: 1) == ["loaded 1", failure])
    #expect(try files().read() == [1])
  }

  @Test("a file that may not be read is told, and stays")
  func unreadable() throws {
    try save([1])
    if geteuid() == 0 {
      for name in ["", "numbers", "numbers.lock"] { #expect(chown(folder.file(name), 65534, 65534) == 0) }
    }
    #expect(chmod(path, 0) == 0)
    let failure = "\(StorageFailure.permission(path))"
    #expect(try outcome(of: "use-unprivileged", size: 1) == [failure, failure])
    #expect(chmod(path, 0o600) == 0)
    #expect(try files().read() == [1])
  }

  @Test("a folder that has vanished is told, and saving goes on once it is back")
  func vanished() throws {
    var files = files()
    try files.save([1], generation: 1)
    try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + "-away")
    #expect(throws: StorageFailure.noSuchFolder(folder.path)) { try files.save([2], generation: 2) }
    #expect(throws: StorageFailure.noSuchFolder(folder.path)) { try files.load() }
    try FileManager.default.moveItem(atPath: folder.path + "-away", toPath: folder.path)
    #expect(try files.load().value == [1])
    try files.save([2], generation: 2)
    #expect(try files.load().value == [2])
  }
}

extension StorageFiles {
  /// What is stored now.
  fileprivate func read() throws -> Value? {
    var files = self
    defer { files.close() }
    return try files.load().value
  }
}
