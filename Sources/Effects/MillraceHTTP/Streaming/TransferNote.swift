import Foundation
import Millrace
import MillraceDescriptors

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

/// The note of a transfer that may go on: the other side's address, without credentials, and the tag of the version.
struct TransferNote {
  private static let largest = 64 << 10

  let path: String
  private let heading: String
  private let source: String

  init(path: String, heading: String, url: String) {
    (self.path, self.heading) = (path, heading)
    source = (try? HTTPAddress(url))?.sent ?? ""
  }

  /// Returns the tag for this address; `nil` if there is none, or the note is incomplete.
  ///
  /// Fails if the note cannot be read, so that it is unknown whether there is one.
  func tag() -> Result<String?, DescriptorIO.Failure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      // A link is no note.
      return [ENOENT, ELOOP].contains(errno) ? .success(nil) : .failure(DescriptorIO.Failure(number: errno))
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    return bytes.withUnsafeMutableBytes { DescriptorIO.read(descriptor, into: $0) }.map { count in
      let lines = String(decoding: bytes[..<count], as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      let isWhole = count < Self.largest && lines.count == 4 && lines[3].isEmpty
      return isWhole && lines[0] == heading && lines[1] == source ? String(lines[2]) : nil
    }
  }

  /// Writes the note. Returns whether that was possible.
  func keep(_ tag: String) -> Bool {
    let text = Array("\(heading)\n\(source)\n\(tag)\n".utf8)
    guard text.count < Self.largest, text.count(where: { $0 == 10 }) == 3 else { return false }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else { return false }
    let outcome = text.withUnsafeBytes { DescriptorIO.writeAll($0, to: descriptor) }
    let isWritten = if case .success = outcome { true } else { false }
    let isClosed = close(descriptor) == 0
    if !isWritten || !isClosed { remove() }
    return isWritten && isClosed
  }

  func remove() { unlink(path) }
}

/// A file that belongs to one transfer at a time, in this process or another.
enum LockedFile {
  /// Opens and locks a file, and makes it if it does not exist. `EWOULDBLOCK` means that another transfer has it,
  /// `EEXIST` that there is something else than a file at its path.
  static func take(_ path: String, mode: mode_t = 0o666) -> Result<Int32, DescriptorIO.Failure> {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
      guard descriptor >= 0 else { return .failure(DescriptorIO.Failure(number: errno)) }
      var (facts, named) = (stat(), stat())
      let isFile = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
      let problem = isFile ? (flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno) : EEXIST
      // Another transfer may have renamed or removed the file before this one had the lock.
      let isNamed = lstat(path, &named) == 0 && named.st_ino == facts.st_ino && named.st_dev == facts.st_dev
      if problem == 0, isNamed { return .success(descriptor) }
      close(descriptor)
      if problem != 0 { return .failure(DescriptorIO.Failure(number: problem)) }
    }
  }

  /// Closing alone leaves the lock with a child process that is being started, until it executes its program. The next
  /// transfer would then be refused. Returns the result of `close`.
  @discardableResult
  static func release(_ descriptor: Int32) -> Int32 {
    flock(descriptor, LOCK_UN)
    return close(descriptor)
  }
}
