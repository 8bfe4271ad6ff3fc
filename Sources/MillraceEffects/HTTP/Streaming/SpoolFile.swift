import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A file without a name that bytes are put into at its end and taken from at its beginning.
///
/// It is gone with its last use, also when the process ends. It starts over whenever it is empty, so that it takes no
/// more room than what waits in it, and has waited since it was empty.
final class SpoolFile {
  struct Failure: Error, Equatable {
    var errorNumber: Int32
  }

  private let descriptor: Int32
  private var start = 0
  private var end = 0

  init(in folder: String = FileManager.default.temporaryDirectory.path) throws(Failure) {
    var path = Array("\(folder)/millrace-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure(errorNumber: errno) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// How much room the file takes, in bytes.
  var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

  func append(_ bytes: Data) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(end)) }
      guard count >= 0 || errno == EINTR else { throw Failure(errorNumber: errno) }
      end += max(0, count)
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Takes the next `count` bytes, which must have been put in.
  func take(_ count: Int) throws(Failure) -> Data {
    var bytes = Data(count: count)
    var taken = 0
    while taken < count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + taken }, count - taken, off_t(start))
      }
      guard read > 0 || (read < 0 && errno == EINTR) else {
        throw Failure(errorNumber: read == 0 ? EIO : errno)
      }
      start += max(0, read)
      taken += max(0, read)
    }
    if start == end {
      (start, end) = (0, 0)
      _ = ftruncate(descriptor, 0)
    }
    return bytes
  }
}
