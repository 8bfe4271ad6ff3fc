import Foundation

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

/// A file of JSON values, one a line. Its user holds the lock of its partition. A file that cannot be read is an error.
/// It never counts as empty, since the next line would then overwrite it.
struct LineFile {
  private let file: OpenFile

  init(_ path: String) throws { file = try OpenFile(path) }

  /// All complete lines. An incomplete last line was written by a process that was killed meanwhile.
  func lines() throws -> [String] {
    let data = try file.read()
    return data[..<wholeCount(data)].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of a line; `nil` for a line that is not a value.
  static func value<Value: Decodable>(_ line: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }

  /// Appends values. Returns when they are on disk, or without `isDurable` when other processes can read them.
  func append(_ values: [some Encodable], isDurable: Bool = true) throws {
    var lines = Data()
    for value in values {
      lines += try JSONEncoder().encode(value)
      lines.append(UInt8(ascii: "\n"))
    }
    try file.write(lines, at: wholeCount(file.read()))
    if isDurable { try file.synchronize() }
  }

  private func wholeCount(_ data: Data) -> Int {
    data.lastIndex(of: UInt8(ascii: "\n")).map { $0 - data.startIndex + 1 } ?? 0
  }
}

/// An open file, closed with its last reference.
final class OpenFile {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw EngineFailure(description: "open \(path): \(errno)") }
  }

  deinit { close(descriptor) }

  /// Waits for the lock, and keeps it until the file is closed.
  func lock() throws {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw EngineFailure(description: "flock: \(errno)") }
    }
  }

  /// All its bytes.
  func read() throws -> Data {
    var (data, chunk) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = pread(descriptor, &chunk, chunk.count, off_t(data.count))
      guard count >= 0 || errno == EINTR else { throw EngineFailure(description: "read: \(errno)") }
      if count == 0 { return data }
      data += chunk.prefix(max(0, count))
    }
  }

  /// Writes at an offset, and cuts off the rest.
  func write(_ data: Data, at offset: Int) throws {
    guard ftruncate(descriptor, off_t(offset)) == 0 else {
      throw EngineFailure(description: "truncate: \(errno)")
    }
    var written = 0
    while written < data.count {
      let count = data.withUnsafeBytes { bytes in  // read by the call alone
        pwrite(
          descriptor, bytes.baseAddress.map { $0 + written }, data.count - written, off_t(offset + written))
      }
      guard count > 0 else { throw EngineFailure(description: "write: \(errno)") }
      written += count
    }
  }

  /// Returns when the data is on disk.
  func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw EngineFailure(description: "fsync: \(errno)") }
  }
}
