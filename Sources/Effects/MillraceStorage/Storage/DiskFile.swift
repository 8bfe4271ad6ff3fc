import Foundation

/// An open file, which is read and written at offsets.
protocol DiskFile: Sendable {
  /// Identifies the file.
  func identity() throws(StorageFailure) -> FileIdentity
  /// The bytes from an offset on; fewer than `count` where the file ends before.
  func read(at offset: UInt64, count: Int) throws(StorageFailure) -> Data
  /// Writes all bytes at an offset. They are on the medium after `sync()`.
  func write(_ bytes: Data, at offset: UInt64) throws(StorageFailure)
  /// Makes the file longer by zeros, unless it is as long already.
  func extend(to size: UInt64) throws(StorageFailure)
  /// Returns when what was written is on the medium.
  func sync() throws(StorageFailure)
}

/// Identifies a file and its version.
struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var number: UInt64
  /// In bytes.
  var size: UInt64
  /// In nanoseconds since 1970.
  var modified: Int64
  var isRegular: Bool

  /// Whether both are one file, changed or not.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && number == other.number }
}
