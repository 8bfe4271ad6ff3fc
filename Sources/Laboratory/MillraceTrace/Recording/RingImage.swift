/// The layout of a flight recorder's file. Pure.
///
/// A page with counters and the header line comes first, then the ring. Two counters give the total number of bytes
/// written: `reserved` is raised before bytes are copied, `written` after. So if the program ends at any moment, the
/// bytes from `reserved - capacity` to `written` are intact, and only the line in which they begin may be incomplete.
package enum RingImage {
  static let magic = "millrace-ring 1\n"
  static let page = 4096
  static let writtenOffset = 64
  static let reservedOffset = 72
  static let headerLengthOffset = 80
  static let headerOffset = 128

  package static func isRing(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: magic.utf8) }

  /// Removes the bytes that the program overwrote while the image was being read.
  ///
  /// - Parameters:
  ///   - image: the bytes of the file, read from the first to the last while the program continued to write.
  ///   - later: the first page, read after the image.
  /// - Returns: whether any bytes are left.
  static func leaveOutOverwritten(of image: inout [UInt8], seenIn later: some Collection<UInt8>) -> Bool {
    guard image.count > page, later.count >= page else { return true }
    image.replaceSubrange(
      reservedOffset..<reservedOffset + 8, with: later.dropFirst(reservedOffset).prefix(8))
    return number(at: reservedOffset, of: image) &- number(at: writtenOffset, of: image) <= image.count - page
  }

  /// The header and the lines in order, as in an ordinary file.
  ///
  /// - Returns: `nil` if the counters are inconsistent.
  static func unrolled(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > page else { return nil }
    let capacity = UInt64(bytes.count - page)
    let (written, reserved) = (number(at: writtenOffset, of: bytes), number(at: reservedOffset, of: bytes))
    let length = number(at: headerLengthOffset, of: bytes)
    guard length <= page - headerOffset, written <= reserved, reserved - written <= capacity,
      reserved < 1 << 62
    else { return nil }
    var lines = Array(bytes[headerOffset..<headerOffset + Int(length)])
    let first = reserved > capacity ? reserved - capacity : 0
    if first >= written { return lines }
    let (from, to) = (page + Int(first % capacity), page + Int(written % capacity))
    let content = from < to ? bytes[from..<to] : bytes[from...] + bytes[page..<to]
    // The first line may be incomplete.
    lines += first == 0 ? content : content.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    return lines
  }

  static func number(at offset: Int, of bytes: [UInt8]) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
  }
}
