import Foundation

extension Data {
  /// The number that stands at an offset from the start, in big-endian order.
  func number(at offset: Int, bytes count: Int) -> UInt64 {
    self[startIndex + offset..<startIndex + offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// FNV-1a. Each step is a bijection, so that any change of a single byte changes the sum.
  static func checksum(_ parts: Data...) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      part.withUnsafeBytes { for byte in $0 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    }
    return sum
  }
}
