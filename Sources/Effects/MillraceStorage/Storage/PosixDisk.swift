import Foundation

// Functions of the C library, under names that differ from the methods here.
private let (systemLink, systemRename) = (link, rename)
private let systemOpen: @Sendable (UnsafePointer<CChar>, Int32, mode_t) -> Int32 = open

/// The file system of the machine. Follows no symbolic link at the end of a path.
struct PosixDisk: Disk {
  func open(_ path: String) throws(StorageFailure) -> (any DiskFile)? { try open(path, O_RDWR) }

  func create(_ path: String, magic: Data) throws(StorageFailure) -> any DiskFile {
    if let file = try open(path, O_RDWR | O_CREAT | O_EXCL) { return file }
    guard try removeLeftover(path, magic: magic), let file = try open(path, O_RDWR | O_CREAT | O_EXCL) else {
      throw .foreignFile(path)
    }
    return file
  }

  func contents(of path: String) throws(StorageFailure) -> (bytes: Data, identity: FileIdentity)? {
    guard let file = try open(path, O_RDONLY) else { return nil }
    let identity = try file.identity()
    return (try file.read(at: 0, count: Int(clamping: identity.size)), identity)
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
    guard let file = try open(path, O_RDONLY) else { return true }
    let beginning = try file.read(at: 0, count: magic.count)
    guard beginning == magic.prefix(beginning.count) else { return false }
    try remove(path)
    return true
  }

  func remove(_ path: String) throws(StorageFailure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw StorageFailure(errno, path) }
  }

  func syncFolder(of path: String) throws(StorageFailure) {
    let opened = uninterrupted { systemOpen(folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY, 0) }
    guard opened >= 0 else { throw StorageFailure(errno, path) }
    defer { close(opened) }
    // Some file systems cannot sync a folder, and fail with EINVAL.
    guard uninterrupted({ fsync(opened) }) == 0 || errno == EINVAL else { throw StorageFailure(errno, path) }
  }

  func lock(_ path: String) throws(StorageFailure) -> DiskLock {
    guard !path.utf8.contains(0) else {
      throw .unreadable("a path with a zero byte: \(path.debugDescription)", errorNumber: EINVAL)
    }
    // Another process that removes the file delays the lock only briefly.
    for _ in 0..<1000 {
      guard let file = try open(path, O_RDWR | O_CREAT) else { throw .foreignFile(path) }
      try file.lock()
      if try isNamed(path, file) { return DiskLock { file.unlock() } }
      // The former holder has removed the file meanwhile, and another process may have locked a new one with its name.
    }
    throw .locked(path)
  }

  /// Whether an open file is the one with that name.
  func isNamed(_ path: String, _ file: PosixFile) throws(StorageFailure) -> Bool {
    let opened = try file.identity()
    return try identity(of: path)?.isSameFile(as: opened) ?? false
  }

  /// Opens a regular file; returns `nil` if there is none, or, with `O_EXCL`, if anything exists there.
  func open(_ path: String, _ flags: Int32) throws(StorageFailure) -> PosixFile? {
    // Opening a pipe without `O_NONBLOCK` would wait for a writer.
    let descriptor = uninterrupted {
      systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }
    guard descriptor >= 0 else {
      let number = errno
      switch number {
      case ENOENT where flags & O_CREAT == 0 && isFolder(folder(of: path)): return nil
      case EEXIST: return nil
      case ENXIO, EOPNOTSUPP: throw .foreignFile(path)  // a socket, on Linux and on Darwin
      default: throw StorageFailure(number, path)
      }
    }
    let file = PosixFile(descriptor, path: path)
    guard try file.identity().isRegular else {
      throw isFolder(path) ? .isDirectory(path) : .foreignFile(path)
    }
    return file
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
