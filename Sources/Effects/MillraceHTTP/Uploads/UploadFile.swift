import Foundation
import Millrace
import MillraceDescriptors

/// A file that is being sent. It remains the same file even if its name changes.
final class UploadFile: Sendable {
  /// The size in bytes when it was opened. This number of bytes is sent.
  let size: Int
  /// The path at which it was opened.
  let path: String
  /// Its identity when it was opened.
  let opened: String
  private let descriptor: Int32
  private let trouble = Lock<Int32?>(nil)

  /// Opens `path` if it is a readable file.
  init(at path: String) throws(HTTPUploadFailure) {
    // Without `O_NONBLOCK`, a pipe without a writer would block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .reading(path: path, errorNumber: errno) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      let isFolder = facts.st_mode & S_IFMT == S_IFDIR
      close(descriptor)
      throw .reading(path: path, errorNumber: isFolder ? EISDIR : EINVAL)
    }
    self.descriptor = descriptor
    self.path = path
    (size, opened) = (Int(facts.st_size), Self.identity(facts))
  }

  deinit { close(descriptor) }

  /// The facts that distinguish the file from others and from earlier versions: size, time of the last change in
  /// nanoseconds, and number.
  var identity: String {
    var facts = stat()
    #if canImport(Darwin)
    // URLSession opens the file by its path.
    return stat(path, &facts) == 0 ? Self.identity(facts) : ""
    #else
    return fstat(descriptor, &facts) == 0 ? Self.identity(facts) : ""
    #endif
  }

  private static func identity(_ facts: stat) -> String {
    #if canImport(Darwin)
    let changed = facts.st_mtimespec
    #else
    let changed = facts.st_mtim
    #endif
    return "\(facts.st_size)-\(changed.tv_sec).\(changed.tv_nsec)-\(facts.st_ino)"
  }

  /// Returns the SHA-256 of the file in the form of RFC 9530, without the name; `nil` if the file cannot be read or the
  /// task is cancelled. O(size)
  func digest() async -> String? {
    var (hash, offset) = (SHA256(), 0)
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while offset < size, !Task.isCancelled {
      guard let count = room.withUnsafeMutableBytes({ read(at: offset, into: $0) }) else { return nil }
      hash.append(room[..<count])
      offset += count
      await Task.yield()
    }
    return offset < size ? nil : ":\(Data(hash.finished()).base64EncodedString()):"
  }

  /// The error number of the failed read; `nil` if none has failed.
  var failure: Int32? { trouble.withLock { $0 } }

  /// Fills `room` with the bytes at `offset`. Returns their number; `nil` if they cannot be read, for instance because
  /// the file has become shorter.
  func read(at offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = min(room.count, size - offset)
    guard wanted > 0 else { return 0 }
    let part = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
    switch DescriptorIO.read(descriptor, into: part, at: offset) {
    case .success(0): trouble.withLock { $0 = EIO }
    case .success(let count): return count
    case .failure(let failure): trouble.withLock { $0 = failure.number }
    }
    return nil
  }
}
