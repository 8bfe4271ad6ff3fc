import Foundation

/// The contents of a stored file: a header of 40 bytes, numbers in big-endian order, and the payload.
///
/// | bytes | what |
/// |---|---|
/// | 0..<8 | `MILLRACE` |
/// | 8..<12 | layout of the header, 1 |
/// | 12..<16 | version of the payload's layout |
/// | 16..<24 | generation |
/// | 24..<32 | length of the payload in bytes |
/// | 32..<40 | FNV-1a, 64 bits, of bytes 0..<32 and the payload |
struct StorageRecord: Equatable {
  static let headerLength = 40
  static let magic = Data("MILLRACE".utf8)
  private static let layout: UInt32 = 1

  var version: UInt32
  var generation: UInt64
  var payload: Data
}

extension StorageRecord {
  /// Reads and verifies a record.
  init(_ bytes: Data) throws(DamagedFile.Reason) {
    let bytes = Data(bytes)  // counted from zero
    guard bytes.prefix(8) == Self.magic.prefix(bytes.count) else { throw .notThisFormat }
    guard bytes.count >= Self.headerLength else {
      throw .wrongLength(expected: Self.headerLength, found: bytes.count)
    }
    guard bytes.number(at: 8, bytes: 4) == UInt64(Self.layout) else { throw .notThisFormat }
    let length = bytes.number(at: 24, bytes: 8)
    guard length == UInt64(bytes.count - Self.headerLength) else {
      throw .wrongLength(
        expected: Int(clamping: length), found: bytes.count - Self.headerLength)
    }
    self.init(
      version: UInt32(bytes.number(at: 12, bytes: 4)), generation: bytes.number(at: 16, bytes: 8),
      payload: Data(bytes.dropFirst(Self.headerLength)))
    guard Data.checksum(bytes.prefix(32), payload) == bytes.number(at: 32, bytes: 8) else {
      throw .wrongChecksum
    }
  }

  /// The bytes of the whole file.
  var bytes: Data {
    var bytes = Self.magic
    bytes.append(number: Self.layout)
    bytes.append(number: version)
    bytes.append(number: generation)
    bytes.append(number: UInt64(payload.count))
    bytes.append(number: Data.checksum(bytes, payload))
    return bytes + payload
  }
}

extension DamagedFile.Reason: Error {}
