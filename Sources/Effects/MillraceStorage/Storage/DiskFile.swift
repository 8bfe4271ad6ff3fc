import Foundation

/// An open file, which is read and written at offsets.
protocol DiskFile: Sendable {
  /// Identifies the file.
  func identity() throws(StorageFailure) -> FileIdentity
  /// Reads bytes from an offset; fewer than `count` at the end of the file.
  func read(at offset: UInt64, count: Int) throws(StorageFailure) -> Data
  /// Writes all bytes at an offset. They are on the medium after `sync()`.
  func write(_ bytes: Data, at offset: UInt64) throws(StorageFailure)
  /// Extends the file with zeros, unless it already has that length.
  func extend(to size: UInt64) throws(StorageFailure)
  /// Waits until everything written is on the medium.
  func sync() throws(StorageFailure)
}

/// Identifies a file and its version.
struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var number: UInt64
  /// The length in bytes.
  var size: UInt64
  /// The time of the last change in nanoseconds since 1970.
  var modified: Int64
  var isRegular: Bool

  /// Whether both identify the same file, even if it changed in between.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && number == other.number }
}
