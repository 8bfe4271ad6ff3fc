import Foundation
import MillraceStorage
import TestSupport
import Testing

/// What another process, or one with fewer rights, makes of the same files.
@Suite struct OtherProcessTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("numbers") }
  init() throws { folder = try TemporaryFolder() }

  private func files() -> FileStorage<[Int]> { FileStorage(at: path) }

  private func save(_ value: [Int]) async throws {
    let files = files()
    try await files.save(value, generation: 1)
    await files.close()
  }

  /// A process that has the file.
  private func held() async throws -> Holder {
    try await onOwnThread { [path] in
      let process = try ProbeProcess("hold", path)
      guard process.line() == "held" else { throw StorageFailure.locked("by nobody") }
      return Holder(process: process)
    }
  }

  private struct Holder: @unchecked Sendable { let process: ProbeProcess }  // used by one at a time

  private func stored() async throws -> [Int]? {
    let files = files()
    let value = try await files.load().value
    await files.close()
    return value
  }

  private func outcome(of command: String, size: Int) async throws -> [String] {
    try await onOwnThread { [path] in try ProbeProcess(command, path, "\(size)").lines() }
  }

  @Test("a file that another process has is locked, until that process is gone")
  func lockedByOther() async throws {
    try await save([1])
    let files = files()
    let failure = StorageFailure.locked(path + ".lock")
    let holder = try await held()
    await #expect(throws: failure) { try await files.load() }
    await #expect(throws: failure) { try await files.save([2], generation: 2) }
    await #expect(throws: failure) { try await files.remove() }
    try await onOwnThread {
      try holder.process.endInput()
      _ = holder.process.lines()
    }
    #expect(try await files.load().value == [1])
  }

  @Test("a process that comes second is told, and writes nothing")
  func lockedForOther() async throws {
    let files = files()
    try await files.save([1], generation: 1)
    let failure = "\(StorageFailure.locked(path + ".lock"))"
    #expect(try await outcome(of: "use", size: 1) == [failure, failure])
    #expect(try await files.load().value == [1])
  }

  @Test("a process that is killed leaves no lock behind")
  func killed() async throws {
    let files = files()
    let holder = try await held()
    try await onOwnThread {
      holder.process.kill()
      _ = holder.process.lines()
    }
    #expect(try await files.load() == StoredValue())
  }

  @Test("a value that does not fit any more is told as a full disk, and what was stored stays")
  func full() async throws {
    try await save([1])
    let failure = "\(StorageFailure.diskFull(path + ".new"))"
    #expect(try await outcome(of: "use-limited", size: 10_000) == ["loaded 1", failure])
    #expect(try await stored() == [1])
    #expect(folder.names == ["numbers", "numbers.lock"])
  }

  @Test("a folder that may be read and not written is told, and what was stored stays")
  func readOnly() async throws {
    try await save([1])
    if geteuid() == 0 {
      for name in ["", "numbers", "numbers.lock"] { #expect(chown(folder.file(name), 65534, 65534) == 0) }
    }
    #expect(chmod(folder.path, 0o555) == 0)
    defer { chmod(folder.path, 0o755) }
    let failure = "\(StorageFailure.permission(path + ".new"))"
    #expect(try await outcome(of: "use-unprivileged", size: 1) == ["loaded 1", failure])
    #expect(try await stored() == [1])
  }

  @Test("a file that may not be read is told, and stays")
  func unreadable() async throws {
    try await save([1])
    if geteuid() == 0 {
      for name in ["", "numbers", "numbers.lock"] { #expect(chown(folder.file(name), 65534, 65534) == 0) }
    }
    #expect(chmod(path, 0) == 0)
    let failure = "\(StorageFailure.permission(path))"
    #expect(try await outcome(of: "use-unprivileged", size: 1) == [failure, failure])
    #expect(chmod(path, 0o600) == 0)
    #expect(try await stored() == [1])
  }

  @Test("a folder that has vanished is told, and saving goes on once it is back")
  func vanished() async throws {
    let files = files()
    try await files.save([1], generation: 1)
    try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + "-away")
    await #expect(throws: StorageFailure.noSuchFolder(folder.path)) {
      try await files.save([2], generation: 2)
    }
    await #expect(throws: StorageFailure.noSuchFolder(folder.path)) { try await files.load() }
    try FileManager.default.moveItem(atPath: folder.path + "-away", toPath: folder.path)
    #expect(try await files.load().value == [1])
    try await files.save([2], generation: 2)
    #expect(try await files.load().value == [2])
  }
}
