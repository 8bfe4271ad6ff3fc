import Foundation

/// Reads a file from its beginning to its end, in large pieces.
struct LogWindow {
  private static let chunk = 1 << 20

  let size: UInt64
  private let file: any DiskFile
  private var bytes = Data()
  private var start: UInt64 = 0

  init(_ file: any DiskFile) throws(StorageFailure) {
    self.file = file
    size = try file.identity().size
  }

  /// The bytes at an offset; fewer than `count` at the end of the file.
  mutating func bytes(at offset: UInt64, count: Int) throws(StorageFailure) -> Data {
    let count = Int(min(UInt64(count), size - min(offset, size)))
    if offset < start || offset + UInt64(count) > start + UInt64(bytes.count) {
      bytes = try file.read(at: offset, count: max(count, Self.chunk))
      start = offset
    }
    return bytes.dropFirst(Int(offset - start)).prefix(count)
  }

  /// Returns the offset of the first occurrence of `pattern` at or after `first`.
  mutating func offset(of pattern: Data, from first: UInt64) throws(StorageFailure) -> UInt64? {
    var offset = first
    while offset < size {
      let part = try bytes(at: offset, count: Self.chunk)
      if let range = part.range(of: pattern) { return offset + UInt64(range.lowerBound - part.startIndex) }
      if part.count < Self.chunk { return nil }
      offset += UInt64(part.count - pattern.count + 1)
    }
    return nil
  }

  /// Returns the end of the last byte after `first` that is not zero; `first` if all are zero.
  mutating func usedEnd(from first: UInt64) throws(StorageFailure) -> UInt64 {
    var (offset, end) = (first, first)
    while offset < size {
      let part = try bytes(at: offset, count: Self.chunk)
      if part.isEmpty { break }
      let used = part.usedCount
      if used > 0 { end = offset + UInt64(used) }
      offset += UInt64(part.count)
    }
    return end
  }
}
