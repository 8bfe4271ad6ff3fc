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

/// The note beside a partial file: the address of the file without credentials, and the tag of its version.
struct DownloadNote {
  private static let heading = "millrace download 1"
  private static let largest = 64 << 10

  let path: String
  private let source: String

  init(path: String, url: String) {
    self.path = path
    source = (try? HTTPAddress(url))?.sent ?? ""
  }

  /// Returns the tag for this address; `nil` if there is none, or the note is incomplete.
  ///
  /// - Throws: if the note cannot be read, so that it is unknown whether there is one.
  func tag() throws(HTTPDownloadFailure) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP { return nil }  // a link is no note
      throw .writing(path: path, errorNumber: errno)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    let outcome = bytes.withUnsafeMutableBytes { DescriptorIO.read(descriptor, into: $0) }
    if case .failure(let failure) = outcome { throw .writing(path: path, errorNumber: failure.number) }
    guard case .success(let count) = outcome, count > 0, count < Self.largest else { return nil }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0] == Self.heading, lines[1] == source, lines[3].isEmpty else { return nil }
    return String(lines[2])
  }

  /// Writes the note. Returns whether that was possible.
  func keep(_ tag: String) -> Bool {
    let text = Array("\(Self.heading)\n\(source)\n\(tag)\n".utf8)
    guard text.count < Self.largest, text.count(where: { $0 == 10 }) == 3 else { return false }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return false }
    let outcome = text.withUnsafeBytes { DescriptorIO.writeAll($0, to: descriptor) }
    let isWritten = if case .success = outcome { true } else { false }
    let isClosed = close(descriptor) == 0
    if !isWritten || !isClosed { remove() }
    return isWritten && isClosed
  }

  func remove() { unlink(path) }
}
