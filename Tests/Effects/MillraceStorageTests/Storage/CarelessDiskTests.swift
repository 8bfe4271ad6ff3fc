import Foundation
import TestSupport
import Testing

@testable import MillraceStorage

/// What others put where the files of a storage, a journal or a ledger are, or are to be.
@Suite struct CarelessDiskTests {
  /// The three ways in which something is kept, each by a first write and another one.
  enum Kind: String, CaseIterable {
    case storage
    case journal
    case ledger

    func open(_ path: String) -> (UInt64) throws -> Void {
      switch self {
      case .storage:
        var files = StorageFiles<Int>(path, format: .json(), disk: PosixDisk())
        return { number in try files.save(Int(number), generation: number) }
      case .journal:
        var files = JournalFiles<String, Int>(path, format: .json(), disk: PosixDisk())
        return { number in try files.append([("\(number)", .set(Int(number)))]) }
      case .ledger:
        var files = LedgerFiles<String>(path, format: .json(), remembering: 1, disk: PosixDisk())
        return { number in _ = try files.begin("work", key: LedgerKey("\(number)"), attempt: 1) }
      }
    }
  }

  private let folder: TemporaryFolder
  private var path: String { folder.file("notes") }
  init() throws { folder = try TemporaryFolder() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: folder.file(target))
  }

  @Test("a foreign file that appears while a storage is open is not written over", arguments: Kind.allCases)
  func appears(kind: Kind) throws {
    let write = kind.open(path)
    try write(1)
    try FileManager.default.removeItem(atPath: path)
    try folder.write(Data("precious".utf8), to: "notes")
    for number: UInt64 in 2...4 {
      #expect(throws: StorageFailure.foreignFile(path)) { try write(number) }
    }
    #expect(try folder.read("notes") == Data("precious".utf8))
  }

  @Test("a file that somebody has changed in its place while a storage is open is not written over")
  func changed() throws {
    let write = Kind.storage.open(path)
    try write(1)
    try write(2)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data("precious, and of another length".utf8))
    try file.close()
    let bytes = try folder.read("notes")
    #expect(throws: StorageFailure.notLoaded(path)) { try write(3) }
    #expect(try folder.read("notes") == bytes)
  }

  @Test("a file that appears in the place of the generation before is not written over")
  func previousAppears() throws {
    let write = Kind.storage.open(path)
    try write(1)
    try folder.write(Data("precious".utf8), to: "notes.previous")
    #expect(throws: StorageFailure.notLoaded(path)) { try write(2) }
    #expect(try folder.read("notes.previous") == Data("precious".utf8))
  }

  @Test("a symbolic link in the place of the file is told and stays", arguments: Kind.allCases)
  func symbolicLink(kind: Kind) throws {
    let write = kind.open(folder.file("other"))
    try write(1)
    let bytes = try folder.read("other")
    try link("notes", to: "other")
    #expect(throws: StorageFailure.isSymbolicLink(path)) { try kind.open(path)(2) }
    try FileManager.default.removeItem(atPath: path)
    try link("notes", to: "nowhere")
    #expect(throws: StorageFailure.isSymbolicLink(path)) { try kind.open(path)(2) }
    #expect(try folder.read("other") == bytes && !folder.names.contains("nowhere"))
  }

  @Test("a symbolic link in the place of the new file or the lock is not followed", arguments: Kind.allCases)
  func plantedLinks(kind: Kind) throws {
    try folder.write(Data("precious".utf8), to: "other")
    for suffix in [".lock", ".new"] {
      try link("notes" + suffix, to: "other")
      #expect(throws: StorageFailure.isSymbolicLink(path + suffix)) { try kind.open(path)(1) }
      #expect(try folder.read("other") == Data("precious".utf8))
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    #expect(!folder.names.contains("notes"))
  }

  @Test("a pipe in the place of any of the files holds nobody up", arguments: Kind.allCases)
  func pipes(kind: Kind) throws {
    for suffix in ["", ".lock", ".new"] {
      try? FileManager.default.removeItem(atPath: path + ".lock")
      #expect(mkfifo(path + suffix, 0o666) == 0)
      #expect(throws: StorageFailure.foreignFile(path + suffix)) { try kind.open(path)(1) }
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    try kind.open(path)(1)
  }

  @Test(
    "somebody else's file by the name of one that is needed for a while is left alone",
    arguments: Kind.allCases)
  func foreignNew(kind: Kind) throws {
    for suffix in kind == .storage ? [".new", ".previous.new"] : [".new"] {
      try folder.write(Data("precious".utf8), to: "notes" + suffix)
      #expect(throws: StorageFailure.foreignFile(path + suffix)) { try kind.open(path)(1) }
      #expect(try folder.read("notes" + suffix) == Data("precious".utf8))
      try FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  @Test("a removal leaves somebody else's files beside it alone")
  func foreignAtRemoval() throws {
    for name in ["notes.new", "notes.previous.new", "notes.lock", "log.new", "log.lock"] {
      try folder.write(Data("precious".utf8), to: name)
    }
    var files = StorageFiles<Int>(path, format: .json(), disk: PosixDisk())
    try files.remove()
    var journal = JournalFiles<Int, Int>(folder.file("log"), format: .json(), disk: PosixDisk())
    try journal.remove()
    #expect(folder.names == ["log.lock", "log.new", "notes.lock", "notes.new", "notes.previous.new"])
  }

  @Test("what a broken write has left by that name is removed, and its mode is not taken over")
  func leftover() throws {
    for beginning in ["", "MIL", "MILLRACE and so on"] {
      try folder.write(Data(beginning.utf8), to: "notes.new")
      #expect(chmod(path + ".new", 0o666) == 0)
      let before = try PosixDisk().identity(of: path + ".new")
      var files = StorageFiles<Int>(path, format: .json(), disk: PosixDisk())
      _ = try files.load()
      try files.save(1, generation: 1)
      files.close()
      #expect(try PosixDisk().identity(of: path) != before)
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      #expect(folder.names.filter { $0.hasSuffix(".new") }.isEmpty)
    }
  }

  @Test("files are made for one user alone", arguments: Kind.allCases)
  func modes(kind: Kind) throws {
    let write = kind.open(path)
    for number: UInt64 in 1...3 { try write(number) }
    for name in folder.names {
      var status = stat()
      #expect(stat(folder.file(name), &status) == 0 && status.st_mode & 0o077 == 0, "\(name)")
    }
  }

  @Test("a path is bytes: a slash counts also where a combining mark follows it", arguments: Kind.allCases)
  func combiningMark(kind: Kind) throws {
    let write = kind.open(folder.file("\u{301}notes"))
    try write(1)
    try write(2)
    #expect(MillraceStorage.folder(of: "/a/\u{301}b") == "/a")
    #expect(MillraceStorage.folder(of: "/\u{301}b") == "/" && MillraceStorage.folder(of: "b") == ".")
    let missing = folder.file("none") + "/\u{301}notes"
    #expect(throws: StorageFailure.noSuchFolder(folder.file("none"))) { try kind.open(missing)(1) }
  }

  @Test("a path with a zero byte names no other file", arguments: Kind.allCases)
  func zeroByte(kind: Kind) throws {
    try folder.write(Data("precious".utf8), to: "notes")
    do throws(any Error) {
      try kind.open(path + "\0.more")(1)
      Issue.record("written")
    } catch {
      guard case .unreadable(_, let number) = error as? StorageFailure else { throw error }
      #expect(number == EINVAL)
    }
    #expect(folder.names == ["notes"])
  }
}
