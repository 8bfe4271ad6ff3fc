import Foundation

extension Data {
  /// Reads a big-endian number at an offset from the start.
  func number(at offset: Int, bytes count: Int) -> UInt64 {
    self[startIndex + offset..<startIndex + offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// The end of the last byte that is not zero; 0 if all are zero.
  var usedCount: Int {
    withUnsafeBytes { bytes in
      var end = bytes.count
      while end >= 8, bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 { end -= 8 }
      while end > 0, bytes[end - 1] == 0 { end -= 1 }
      return end
    }
  }

  /// Returns the FNV-1a checksum. Each step is a bijection, so any change of a single byte changes the sum.
  static func checksum(_ parts: Data...) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      part.withUnsafeBytes { for byte in $0 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    }
    return sum
  }

  /// Returns a checksum that is computed from eight bytes at a time, for large data. Each step is a bijection, so any
  /// change within eight aligned bytes changes the sum. The sum depends on the lengths of the parts too.
  static func wideChecksum(_ parts: Data...) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    func take(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
      sum ^= sum >> 29  // otherwise two changes of highest bits would cancel
    }
    for part in parts {
      take(UInt64(part.count))
      part.withUnsafeBytes { bytes in
        var offset = 0
        while offset + 8 <= bytes.count {
          take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
          offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
          rest = rest << 8 | UInt64(bytes[offset])
          offset += 1
        }
        take(rest)
      }
    }
    return sum
  }
}
