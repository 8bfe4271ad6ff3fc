import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A file as it was before it was sent.
struct UploadFile {
  /// How large it is, in bytes.
  let size: Int

  /// Looks whether `path` is a file that can be read.
  init(at path: String) throws(HTTPUploadFailure) {
    // A pipe that nobody writes to would block otherwise.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .reading(path: path, errorNumber: errno) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .reading(path: path, errorNumber: errno) }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: size = Int(facts.st_size)
    case S_IFDIR: throw .reading(path: path, errorNumber: EISDIR)
    default: throw .reading(path: path, errorNumber: EINVAL)
    }
  }
}
