/// The layout of a flight recorder's file, and how its lines are read. Pure.
///
/// A page with counters and the header line, then the ring. Two counters tell how many bytes were ever written:
/// `reserved` before they are copied, `written` after. So whatever the moment at which the program was ended, the bytes
/// from `reserved - capacity` to `written` are whole, but for the line in which they begin.
package enum RingImage {
  static let magic = "millrace-ring 1\n"
  static let page = 4096
  static let writtenOffset = 64
  static let reservedOffset = 72
  static let headerLengthOffset = 80
  static let headerOffset = 128

  package static func isRing(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: magic.utf8) }

  /// Leaves out of an image what was written over while it was read.
  ///
  /// - Parameters:
  ///   - image: the bytes of the file, read from the first to the last while the program went on writing.
  ///   - later: the first page, read after them.
  /// - Returns: whether anything is left.
  static func leaveOutOverwritten(of image: inout [UInt8], seenIn later: some Collection<UInt8>) -> Bool {
    guard image.count > page, later.count >= page else { return true }
    image.replaceSubrange(
      reservedOffset..<reservedOffset + 8, with: later.dropFirst(reservedOffset).prefix(8))
    return number(at: reservedOffset, of: image) &- number(at: writtenOffset, of: image) <= image.count - page
  }

  /// The header and the lines in their order, as a file would have them.
  ///
  /// - Returns: `nil` if the counters make no sense.
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
    var content: [UInt8] = []
    content.reserveCapacity(Int(written - first))
    let (from, to) = (Int(first % capacity), Int(written % capacity))
    if from < to {
      content += bytes[page + from..<page + to]
    } else {
      content += bytes[(page + from)...]
      content += bytes[page..<page + to]
    }
    // The line in which they begin is not whole.
    if first > 0 {
      guard let end = content.firstIndex(of: UInt8(ascii: "\n")) else { return lines }
      content.removeFirst(end + 1)
    }
    lines += content
    return lines
  }

  static func number(at offset: Int, of bytes: [UInt8]) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
  }
}
