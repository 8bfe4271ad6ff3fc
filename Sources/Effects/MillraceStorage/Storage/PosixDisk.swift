import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#endif

// Functions of the C library, under names that differ from the methods here.
private let (systemLink, systemRename) = (link, rename)
private let systemOpen: @Sendable (UnsafePointer<CChar>, Int32, mode_t) -> Int32 = open

/// The file system of the machine. Follows no symbolic link at the end of a path.
struct PosixDisk: Disk {
  func open(_ path: String) throws(StorageFailure) -> (any DiskFile)? {
    guard let file = try descriptor(path, O_RDWR) else { return nil }
    return PosixFile(file, path: path)
  }

  /// Opens a file only for reading; returns `nil` if there is none.
  func openToRead(_ path: String) throws(StorageFailure) -> PosixFile? {
    try descriptor(path, O_RDONLY).map { PosixFile($0, path: path) }
  }

  func create(_ path: String, magic: Data) throws(StorageFailure) -> any DiskFile {
    var file = try descriptor(path, O_RDWR | O_CREAT | O_EXCL)
    if file == nil {
      guard try removeLeftover(path, magic: magic) else { throw .foreignFile(path) }
      file = try descriptor(path, O_RDWR | O_CREAT | O_EXCL)
    }
    guard let file else { throw .foreignFile(path) }
    return PosixFile(file, path: path)
  }

  func contents(of path: String) throws(StorageFailure) -> (bytes: Data, identity: FileIdentity)? {
    guard let descriptor = try descriptor(path, O_RDONLY) else { return nil }
    let file = PosixFile(descriptor, path: path)
    let identity = try file.identity()
    var contents = Data()
    while true {
      let part = try file.read(at: UInt64(contents.count), count: 1 << 16)
      if part.isEmpty { return (contents, identity) }
      contents.append(part)
    }
  }

  func identity(of path: String) throws(StorageFailure) -> FileIdentity? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT, isFolder(folder(of: path)) { return nil }
      throw StorageFailure(errno, path)
    }
    return FileIdentity(status)
  }

  func link(_ path: String, to other: String) throws(StorageFailure) {
    guard systemLink(path, other) == 0 else {
      throw errno == EEXIST ? .foreignFile(other) : StorageFailure(errno, other)
    }
  }

  func rename(_ path: String, to other: String) throws(StorageFailure) {
    guard systemRename(path, other) == 0 else { throw StorageFailure(errno, other) }
  }

  func removeLeftover(_ path: String, magic: Data) throws(StorageFailure) -> Bool {
    guard let file = try descriptor(path, O_RDONLY) else { return true }
    let beginning = try PosixFile(file, path: path).read(at: 0, count: magic.count)
    guard beginning == magic.prefix(beginning.count) else { return false }
    try remove(path)
    return true
  }

  func remove(_ path: String) throws(StorageFailure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw StorageFailure(errno, path) }
  }

  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  func syncFolder(of path: String) throws(StorageFailure) {
    let folder = openAgain(folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard folder >= 0 else { throw StorageFailure(errno, path) }
    defer { close(folder) }
    while fsync(folder) != 0 {
      // Some file systems cannot sync a folder, and fail with EINVAL.
      if errno == EINVAL { return }
      guard errno == EINTR else { throw StorageFailure(errno, path) }
    }
  }

  func lock(_ path: String) throws(StorageFailure) -> DiskLock {
    guard !path.utf8.contains(0) else {
      throw .unreadable("a path with a zero byte: \(path.debugDescription)", errorNumber: EINVAL)
    }
    // Another process that removes the file delays the lock only briefly.
    for _ in 0..<1000 {
      guard let file = try descriptor(path, O_RDWR | O_CREAT) else { throw .foreignFile(path) }
      while flock(file, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EINTR else {
          let failure = StorageFailure(errno, path)
          close(file)
          throw failure
        }
      }
      let isNamed: Bool
      do throws(StorageFailure) { isNamed = try self.isNamed(path, file) } catch {
        close(file)
        throw error
      }
      if isNamed {
        return DiskLock {
          // Closing alone leaves the lock with a child process that is being started, until it executes its program.
          flock(file, LOCK_UN)
          close(file)
        }
      }
      // The former holder has removed the file meanwhile, and another process may have locked a new one with its name.
      close(file)
    }
    throw .locked(path)
  }

  /// Whether an open file is the one with that name.
  func isNamed(_ path: String, _ file: Int32) throws(StorageFailure) -> Bool {
    var (opened, named) = (stat(), stat())
    guard fstat(file, &opened) == 0 else { throw StorageFailure(errno, path) }
    guard lstat(path, &named) == 0 else {
      if errno == ENOENT { return false }
      throw StorageFailure(errno, path)
    }
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  // MARK: Opening

  /// Opens a regular file; returns `nil` if there is none, or, with `O_EXCL`, if anything exists there.
  private func descriptor(_ path: String, _ flags: Int32) throws(StorageFailure) -> Int32? {
    // Opening a pipe without `O_NONBLOCK` would wait for a writer.
    let file = openAgain(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else {
      let number = errno
      switch number {
      case ENOENT where flags & O_CREAT == 0 && isFolder(folder(of: path)): return nil
      case EEXIST: return nil
      case ENXIO, EOPNOTSUPP: throw .foreignFile(path)  // a socket, on Linux and on Darwin
      default: throw StorageFailure(number, path)
      }
    }
    var status = stat()
    let failure: StorageFailure? =
      if fstat(file, &status) != 0 {
        StorageFailure(errno, path)
      } else if status.st_mode & S_IFMT == S_IFDIR {
        .isDirectory(path)
      } else if status.st_mode & S_IFMT != S_IFREG {
        .foreignFile(path)
      } else {
        nil
      }
    if let failure {
      close(file)
      throw failure
    }
    return file
  }

  /// Opens a file, and repeats the call if a signal interrupts it. Returns -1 on failure, with the reason in `errno`.
  private func openAgain(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    while true {
      let file = systemOpen(path, flags, mode)
      if file >= 0 || errno != EINTR { return file }
    }
  }

}

extension Disk {
  /// Makes a new file, in place of one that an interrupted attempt has left. Waits until its contents are on the
  /// medium, and identifies it.
  func write(_ bytes: Data, to path: String) throws(StorageFailure) -> FileIdentity {
    let file = try create(path, magic: bytes.prefix(4))
    do throws(StorageFailure) {
      try file.write(bytes, at: 0)
      try file.sync()
      return try file.identity()
    } catch {
      try? remove(path)
      throw error
    }
  }
}
