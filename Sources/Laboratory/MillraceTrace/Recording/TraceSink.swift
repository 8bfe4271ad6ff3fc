import Foundation
import Millrace
import MillraceDescriptors

/// Takes the bytes of a recording. Used on the recorder's queue alone.
protocol TraceSink: AnyObject {
  /// Whether each snapshot must be complete, since what is before it may be gone.
  var forgets: Bool { get }
  /// How many bytes a line can have.
  var longest: Int { get }
  /// Whether a new file is due, which begins with a header and a snapshot.
  var wantsBeginning: Bool { get }
  /// The next bytes are the beginning of a file.
  func begin(_ header: [UInt8]) throws(TraceFailure)
  func write(_ lines: [UInt8]) throws(TraceFailure)
  /// What is kept, as a file would have it.
  func contents() throws(TraceFailure) -> [UInt8]
}

extension TraceSink {
  var longest: Int { .max }
}

/// Why a recording cannot be written or read.
public struct TraceFailure: Error, Hashable, CustomStringConvertible {
  /// What failed, with the path and the system's words.
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
}

extension TraceFailure {
  /// The reason why a new file cannot take the place of what has this path; `nil` if that is a file, or nothing is there. A
  /// device, a pipe or a link is somebody else's, and would be gone.
  package static func replacing(_ path: String) -> TraceFailure? {
    var status = stat()
    if lstat(path, &status) != 0 { return errno == ENOENT ? nil : TraceFailure("written", path, errno) }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: TraceFailure("written", path, EISDIR)
    default: TraceFailure("\(path) cannot be written: it is no regular file")
    }
  }
}

final class MemorySink: TraceSink {
  private let memory: TraceMemory
  let forgets = false
  let wantsBeginning = false

  init(_ memory: TraceMemory) { self.memory = memory }

  func begin(_ header: [UInt8]) { memory.append(header) }
  func write(_ lines: [UInt8]) { memory.append(lines) }
  func contents() -> [UInt8] { memory.bytes }
}

/// A file that goes on in another one when it has become large.
final class FileSink: TraceSink {
  private let path: String
  private let limit: Int?
  private let kept: Int
  /// -1 until the first file has begun.
  private var descriptor: Int32 = -1
  private var size = 0
  let forgets = false

  init(path: String, rotatingAt limit: Int?, keeping kept: Int) {
    (self.path, self.limit, self.kept) = (path, limit, kept)
  }

  deinit { close(descriptor) }

  /// Makes a new file, for its owner alone, which gets its name by `publish`: at no moment is there one without a header.
  static func create(_ path: String, _ flags: Int32) throws(TraceFailure) -> Int32 {
    let next = path + ".next"
    if let failure = TraceFailure.replacing(path) ?? .replacing(next) { throw failure }
    _ = unlink(next)
    let descriptor = open(next, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw TraceFailure("written", path, errno) }
    return descriptor
  }

  /// Puts the file that was made in place of another one: who reads that goes on reading it.
  static func publish(_ path: String) throws(TraceFailure) {
    if rename(path + ".next", path) != 0 { throw TraceFailure("written", path, errno) }
  }

  var wantsBeginning: Bool { limit.map { size >= $0 } ?? false }

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

  /// Writes a file whole or not at all. One that is there is replaced.
  static func replace(_ path: String, with bytes: [UInt8]) throws(TraceFailure) {
    let descriptor = try create(path, O_WRONLY)
    defer { close(descriptor) }
    let result = bytes.withUnsafeBytes { DescriptorIO.writeAll($0, to: descriptor) }
    if case .failure(let failure) = result { throw TraceFailure("written", path, failure.number) }
    try publish(path)
  }

  func write(_ lines: [UInt8]) throws(TraceFailure) {
    let result = lines.withUnsafeBytes { DescriptorIO.writeAll($0, to: descriptor) }
    if case .failure(let failure) = result { throw TraceFailure("written", path, failure.number) }
    size += lines.count
  }
}
