/// Percent-encoding, as far as comparing and fetching URLs needs it.
enum PercentEncoding {
  /// One spelling for what means the same: escapes of unreserved characters are undone, other escapes get
  /// capital digits, and what may not stand in a URL is escaped.
  static func normalized(_ text: some StringProtocol) -> String {
    var output: [UInt8] = []
    let bytes = Array(text.utf8)
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), let value = escapedByte(bytes, at: index) {
        if isUnreserved(value) { output.append(value) } else { escape(value, into: &output) }
        index += 3
        continue
      }
      if isUnreserved(byte) || "!$&'()*+,;=:@/?[]".utf8.contains(byte) {
        output.append(byte)
      } else {
        escape(byte, into: &output)
      }
      index += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The text without escapes. Escapes that are none stay as they are.
  static func decoded(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), let value = escapedByte(bytes, at: index) {
        output.append(value)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func escapedByte(_ bytes: [UInt8], at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
    else {
      return nil
    }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func escape(_ byte: UInt8, into output: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
