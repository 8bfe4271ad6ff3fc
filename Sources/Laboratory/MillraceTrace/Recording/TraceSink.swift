import Foundation
import Millrace
import MillraceDescriptors

/// Stores the bytes of a recording. Used only on the recorder's queue.
protocol TraceSink: AnyObject {
  /// Whether earlier lines may be lost, so that each snapshot must be complete.
  var forgets: Bool { get }
  /// The longest line in bytes.
  var longest: Int { get }
  /// Whether a new file is due after that many more bytes. It begins with a header and a snapshot.
  func wantsBeginning(after bytes: Int) -> Bool
  /// Begins a file with this header.
  func begin(_ header: [UInt8]) throws(TraceFailure)
  func write(_ lines: [UInt8]) throws(TraceFailure)
  /// The stored bytes in the format of a file.
  func contents() throws(TraceFailure) -> [UInt8]
}

extension TraceSink {
  var forgets: Bool { false }
  var longest: Int { .max }
  func wantsBeginning(after bytes: Int) -> Bool { false }
}

/// The reason why a recording cannot be written or read.
public struct TraceFailure: Error, Hashable, CustomStringConvertible {
  /// The failed operation, with the path and the system's message.
  public let description: String

  package init(_ description: String) { self.description = description }

  /// - Parameter number: the system's error number.
  init(_ action: String, _ path: String, _ number: Int32) {
    self.init("\(path) cannot be \(action): \(String(cString: strerror(number)))")
  }

  /// The reason why a file cannot be read; `nil` if it can be opened and is no folder.
  package static func reading(_ path: String) -> TraceFailure? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return TraceFailure("read", path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return TraceFailure("read", path, errno) }
    return status.st_mode & S_IFMT == S_IFDIR ? TraceFailure("read", path, EISDIR) : nil
  }

  /// The reason why a new file cannot replace the one at this path. `nil` if there is a regular file or none. A device,
  /// a pipe or a link belongs to somebody else, and must not be replaced.
  static func replacing(_ path: String) -> TraceFailure? {
    var status = stat()
    if lstat(path, &status) != 0 { return errno == ENOENT ? nil : TraceFailure("written", path, errno) }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: TraceFailure("written", path, EISDIR)
    default: TraceFailure("\(path) cannot be written: it is no regular file")
    }
  }
}

extension TraceMemory: TraceSink {
  func begin(_ header: [UInt8]) { append(header) }
  func write(_ lines: [UInt8]) { append(lines) }
  func contents() -> [UInt8] { bytes }
}

/// A file that continues in another one when it has reached a size.
package final class FileSink: TraceSink {
  private let path: String
  private let limit: Int?
  private let kept: Int
  /// -1 until the first file has begun.
  private var descriptor: Int32 = -1
  private var size = 0

  init(path: String, rotatingAt limit: Int?, keeping kept: Int) {
    (self.path, self.limit, self.kept) = (path, limit, kept)
  }

  deinit { close(descriptor) }

  /// Makes a new file that only its owner can read. `publish` gives it its name once it has a header, so that no file
  /// of this name is ever without a header.
  ///
  /// - Parameter suffix: follows the path in the name of the new file. An existing file of that name is removed.
  static func create(_ path: String, _ flags: Int32, _ suffix: String = ".next") throws(TraceFailure) -> Int32
  {
    let next = path + suffix
    if let failure = TraceFailure.replacing(path) ?? .replacing(next) { throw failure }
    _ = unlink(next)
    let descriptor = open(next, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw TraceFailure("written", path, errno) }
    return descriptor
  }

  /// Renames the new file to the path of the old one. Readers of the old file can continue to read it.
  static func publish(_ path: String, _ suffix: String = ".next") throws(TraceFailure) {
    if rename(path + suffix, path) != 0 { throw TraceFailure("written", path, errno) }
  }

  func wantsBeginning(after bytes: Int) -> Bool { limit.map { size + bytes >= $0 } ?? false }

  func begin(_ header: [UInt8]) throws(TraceFailure) {
    let isFirst = descriptor < 0
    let next = try Self.create(path, O_WRONLY | O_APPEND)
    close(descriptor)
    descriptor = next
    size = 0
    try write(header)
    if !isFirst, kept > 0 {
      for number in stride(from: kept, to: 1, by: -1) {
        _ = rename("\(path).\(number - 1)", "\(path).\(number)")
      }
      _ = unlink(path + ".1")
      _ = link(path, path + ".1")
    }
    try Self.publish(path)
  }

  func contents() throws(TraceFailure) -> [UInt8] { try TraceText.bytes(of: path) }

  /// Writes a file as a whole or not at all. An existing file is replaced. Only its owner can read the file, from the
  /// first byte on, since a recording contains data of the program. A process that is killed meanwhile leaves
  /// the new file behind, named after `path`.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(TraceFailure) {
    // Others may write to the same path at the same time.
    let suffix = ".next-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let descriptor = try create(path, O_WRONLY, suffix)
    defer { close(descriptor) }
    do throws(TraceFailure) {
      try write(bytes, to: descriptor, path)
      try publish(path, suffix)
    } catch {
      unlink(path + suffix)
      throw error
    }
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, _ path: String
  ) throws(TraceFailure) {
    let result = bytes.withUnsafeBytes { DescriptorIO.writeAll($0, to: descriptor) }
    if case .failure(let failure) = result { throw TraceFailure("written", path, failure.number) }
  }

  func write(_ lines: [UInt8]) throws(TraceFailure) {
    try Self.write(lines, to: descriptor, path)
    size += lines.count
  }
}
