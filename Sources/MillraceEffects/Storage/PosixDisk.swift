import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file system of the machine.
struct PosixDisk: Disk {
  func contents(of path: String) throws(StorageFailure) -> Data? {
    // A pipe would have its opener wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT, exists(folder(of: path)) { return nil }
      throw failure(path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isDirectory(path)
    default: throw .foreignFile(path)
    }
    var contents = Data()
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &part, part.count)
      if count > 0 {
        contents.append(contentsOf: part[..<count])
      } else if count == 0 {
        return contents
      } else if errno != EINTR {
        throw failure(path)
      }
    }
  }

  func write(_ bytes: Data, to path: String) throws(StorageFailure) {
    try write(bytes, to: path, O_CREAT | O_TRUNC)
  }

  func append(_ bytes: Data, to path: String) throws(StorageFailure) {
    try write(bytes, to: path, O_APPEND)
  }

  private func write(_ bytes: Data, to path: String, _ flags: Int32) throws(StorageFailure) {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
      let count = rest.withUnsafeBytes { Darwin.write(file, $0.baseAddress, $0.count) }
      #elseif canImport(Glibc)
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      #else
      let count = rest.withUnsafeBytes { Musl.write(file, $0.baseAddress, $0.count) }
      #endif
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw failure(path)
      }
    }
    #if canImport(Darwin)
    // On Apple systems `fsync` leaves the bytes in the drive's own cache.
    guard fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0 else { throw failure(path) }
    #else
    guard fsync(file) == 0 else { throw failure(path) }
    #endif
  }

  func link(_ path: String, to other: String) throws(StorageFailure) {
    #if canImport(Darwin)
    let status = Darwin.link(path, other)
    #elseif canImport(Glibc)
    let status = Glibc.link(path, other)
    #else
    let status = Musl.link(path, other)
    #endif
    guard status == 0 else { throw failure(other) }
  }

  func rename(_ path: String, to other: String) throws(StorageFailure) {
    #if canImport(Darwin)
    let status = Darwin.rename(path, other)
    #elseif canImport(Glibc)
    let status = Glibc.rename(path, other)
    #else
    let status = Musl.rename(path, other)
    #endif
    guard status == 0 else { throw failure(other) }
  }

  func remove(_ path: String) throws(StorageFailure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
  }

  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  func syncFolder(of path: String) throws(StorageFailure) {
    let folder = open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw failure(path) }
    defer { close(folder) }
    // Some file systems have no such thing as syncing a folder, and say so by EINVAL.
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure(path) }
  }

  func lock(_ path: String) throws(StorageFailure) -> DiskLock {
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard file >= 0 else { throw failure(path) }
      while flock(file, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EINTR else {
          let failure = failure(path)
          close(file)
          throw failure
        }
      }
      if isNamed(path, file) {
        return DiskLock {
          // Closing alone leaves the lock to a child process that is being started, until it runs its program.
          flock(file, LOCK_UN)
          close(file)
        }
      }
      // Whoever had it locked has removed it meanwhile, and others may have locked another by its name.
      close(file)
    }
  }

  /// Whether an open file is the one by a name.
  func isNamed(_ path: String, _ file: Int32) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(file, &opened) == 0 && stat(path, &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  private func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What the current `errno` means for `path`.
  private func failure(_ path: String) -> StorageFailure {
    switch errno {
    case ENOENT, ENOTDIR: .noSuchFolder(folder(of: path))
    case EISDIR: .isDirectory(path)
    case EACCES, EPERM, EROFS, ELOOP: .permission(path)
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path)
    case EWOULDBLOCK: .locked(path)
    case let number: .unreadable("\(path): \(String(cString: strerror(number)))", errorNumber: number)
    }
  }
}
