import Foundation
import Millrace
import MillraceDescriptors

/// An open file of the machine.
final class PosixFile: DiskFile {
  private let descriptor: Int32
  private let path: String

  /// Takes over an open descriptor; failures contain `path`.
  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func identity() throws(StorageFailure) -> FileIdentity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StorageFailure(errno, path) }
    return FileIdentity(status)
  }

  func read(at offset: UInt64, count: Int) throws(StorageFailure) -> Data {
    var contents = Data(count: count)
    var length = 0
    while length < count {
      let got = contents.withUnsafeMutableBytes {
        DescriptorIO.read(
          descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[length...]), at: Int(offset) + length)
      }
      switch got {
      case .success(0): return contents.prefix(length)
      case .success(let more): length += more
      case .failure(let failure): throw StorageFailure(failure.number, path)
      }
    }
    return contents
  }

  func write(_ bytes: Data, at offset: UInt64) throws(StorageFailure) {
    let outcome = bytes.withUnsafeBytes { DescriptorIO.writeAll($0, to: descriptor, at: Int(offset)) }
    if case .failure(let failure) = outcome { throw StorageFailure(failure.number, path) }
  }

  func extend(to size: UInt64) throws(StorageFailure) {
    guard try identity().size < size else { return }
    guard uninterrupted({ ftruncate(descriptor, off_t(size)) }) == 0 else {
      throw StorageFailure(errno, path)
    }
  }

  func sync() throws(StorageFailure) {
    #if canImport(Darwin)
    // On Apple systems `fsync` leaves the bytes in the drive's own cache.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard uninterrupted({ fsync(descriptor) }) == 0 else { throw StorageFailure(errno, path) }
  }

  /// Takes the lock of the file.
  func lock() throws(StorageFailure) {
    guard uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      throw StorageFailure(errno, path)
    }
  }

  /// Releases the lock. Closing alone leaves it with a child process that is being started, until that executes its
  /// program.
  func unlock() { flock(descriptor, LOCK_UN) }
}

/// Calls a function of the system, and repeats the call if a signal interrupts it. Returns a negative number on
/// failure, with the reason in `errno`.
func uninterrupted(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

extension FileIdentity {
  init(_ status: stat) {
    #if canImport(Darwin)
    let modified = status.st_mtimespec
    #else
    let modified = status.st_mtim
    #endif
    self.init(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
      size: UInt64(max(0, status.st_size)),
      modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
      isRegular: status.st_mode & S_IFMT == S_IFREG)
  }
}

extension StorageFailure {
  /// Makes the failure for an error number of the system at `path`.
  init(_ number: Int32, _ path: String) {
    switch number {
    case ENOENT where !isFolder(folder(of: path)), ENOTDIR: self = .noSuchFolder(folder(of: path))
    case EISDIR: self = .isDirectory(path)
    case ELOOP: self = .isSymbolicLink(path)
    case EACCES, EPERM, EROFS: self = .permission(path)
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull(path)
    case EWOULDBLOCK: self = .locked(path)
    default: self = .unreadable("\(path): \(String(cString: strerror(number)))", errorNumber: number)
    }
  }
}

/// Whether there is a folder at a path. Follows symbolic links.
func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Returns the folder of a path. It searches bytes, so that a slash counts even if a combining mark follows it.
func folder(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
}
