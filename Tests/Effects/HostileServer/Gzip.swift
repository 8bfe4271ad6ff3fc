/// Codes text by gzip, zlib and deflate without making it smaller, which needs nothing of a library.
enum Gzip {
  static func stored(_ text: String, checksum: UInt32? = nil) -> [UInt8] {
    stored(Array(text.utf8), checksum: checksum)
  }

  static func stored(_ bytes: [UInt8], checksum: UInt32? = nil) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflated(bytes)
      + little(checksum ?? cyclicChecksum(bytes)) + little(UInt32(bytes.count))
  }

  static func zlib(_ text: String) -> [UInt8] {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in text.utf8 {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01] + deflated(Array(text.utf8)) + little(high << 16 | low).reversed()
  }

  /// One last block that is stored as it is.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    let size = [UInt8(count & 255), UInt8(count >> 8)]
    return [1] + size + size.map { ~$0 } + bytes
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func cyclicChecksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
