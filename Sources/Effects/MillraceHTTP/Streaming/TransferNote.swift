import Foundation
import Millrace
import MillraceDescriptors

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
    return text(in: descriptor).map { tag(in: $0) }
  }

  /// Reads as much of an open file as a note can have.
  func text(in descriptor: Int32) -> Result<String, DescriptorIO.Failure> {
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    return bytes.withUnsafeMutableBytes { DescriptorIO.read(descriptor, into: $0, at: 0) }.map {
      String(decoding: bytes[..<$0], as: UTF8.self)
    }
  }

  func tag(in text: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isWhole = text.utf8.count < Self.largest && lines.count == 4 && lines[3].isEmpty
    return isWhole && lines[0] == heading && lines[1] == source ? String(lines[2]) : nil
  }

  /// Makes the note, which does not exist. Returns whether that was possible.
  func keep(_ tag: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return false }
    let isWritten = keep(tag, in: descriptor)
    if close(descriptor) == 0, isWritten { return true }
    remove()
    return false
  }

  /// Replaces the contents of an open file by the note. Returns whether that was possible; if not, the file is empty.
  func keep(_ tag: String, in descriptor: Int32) -> Bool {
    let text = Array("\(heading)\n\(source)\n\(tag)\n".utf8)
    guard ftruncate(descriptor, 0) == 0, text.count < Self.largest, text.count(where: { $0 == 10 }) == 3
    else { return false }
    if case .success = text.withUnsafeBytes({ DescriptorIO.writeAll($0, to: descriptor, at: 0) }) {
      return true
    }
    ftruncate(descriptor, 0)
    return false
  }

  func remove() { unlink(path) }
}

/// A file that belongs to one transfer at a time, in this process or another.
enum LockedFile {
  /// The error number where another transfer has the file.
  static let isTaken = EWOULDBLOCK

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
