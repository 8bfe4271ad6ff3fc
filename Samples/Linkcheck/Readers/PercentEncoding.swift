/// Percent-encoding, as far as comparing and fetching URLs needs it.
package enum PercentEncoding {
  /// One spelling for what means the same: escapes of unreserved characters are undone, other escapes get
  /// capital digits, and what may not stand in a URL is escaped.
  static func normalized(_ text: Substring) -> Substring {
    guard !text.utf8.allSatisfy(isPlain) else { return text }
    var output: [UInt8] = []
    let bytes = Array(text.utf8)
    output.reserveCapacity(bytes.count + 16)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), let value = escapedByte(bytes, at: index) {
        if isUnreserved(value) { output.append(value) } else { escape(value, into: &output) }
        index += 3
        continue
      }
      if isPlain(byte) { output.append(byte) } else { escape(byte, into: &output) }
      index += 1
    }
    return Substring(decoding: output, as: UTF8.self)
  }

  /// The bytes with all escaped that are not unreserved, `%` among them: another text for any other bytes.
  static func encoded(_ bytes: some Collection<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 8)
    for byte in bytes {
      if isUnreserved(byte) { output.append(byte) } else { escape(byte, into: &output) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A path of the file system in the spelling that `normalized` gives a path of a URL.
  package static func encodedPath(_ path: [UInt8]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(path.count + 8)
    for byte in path {
      if isPlain(byte), byte != UInt8(ascii: "?") { output.append(byte) } else { escape(byte, into: &output) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes that a text with escapes stands for. Escapes that are none stay as they are.
  package static func decoded(_ text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
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
    return output
  }

  private static func escapedByte(_ bytes: [UInt8], at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
      let low = ASCII.hexValue(bytes[index + 2])
    else {
      return nil
    }
    return high << 4 | low
  }

  private static func escape(_ byte: UInt8, into output: inout [UInt8]) {
    output.append(UInt8(ascii: "%"))
    output.append(digit(byte >> 4))
    output.append(digit(byte & 15))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// The bytes that stand for themselves in a path or a query, and have one spelling only.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "&")...UInt8(ascii: ";"),
      UInt8(ascii: "@")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "="),
      UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
  }
}
