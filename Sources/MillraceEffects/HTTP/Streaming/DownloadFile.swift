import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A file that is being written under a name of its own, beside the one that it gets when it is whole.
///
/// Used by one task at a time.
final class DownloadFile {
  private let path: String
  private let partial: String
  private let descriptor: Int32
  private var isOpen = true

  init(for path: String) throws(HTTPDownloadFailure) {
    self.path = path
    partial = "\(path).\(UUID().uuidString.prefix(8)).part"
    descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .writing(path: path, errorNumber: errno) }
  }

  deinit { discard() }

  func write(_ bytes: Data) throws(HTTPDownloadFailure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Self.write(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
      }
      guard count >= 0 || errno == EINTR else { throw .writing(path: path, errorNumber: errno) }
      written += max(0, count)
    }
  }

  /// The file is whole, and gets its name.
  func keep() throws(HTTPDownloadFailure) {
    guard isOpen else { return }
    isOpen = false
    // What a network file system could not write is told here.
    guard close(descriptor) == 0, rename(partial, path) == 0 else {
      let errorNumber = errno
      unlink(partial)
      throw .writing(path: path, errorNumber: errorNumber)
    }
  }

  /// The file is not wanted. Does nothing for one that was kept.
  func discard() {
    guard isOpen else { return }
    isOpen = false
    close(descriptor)
    unlink(partial)
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
    Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #else
    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
