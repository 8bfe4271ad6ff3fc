/// Percent-encoding, as needed for comparing and fetching URLs.
package enum PercentEncoding {
  /// The normal form: escapes of unreserved characters are undone, other escapes get capital digits, and characters not
  /// allowed in a URL are escaped.
  static func normalized(_ text: Substring) -> Substring {
    if text.utf8.allSatisfy(isPlain) { return text }
    return escaped(units(of: text)) { $0.isEscape ? isUnreserved($0.byte) : isPlain($0.byte) }[...]
  }

  /// Escapes all bytes except unreserved ones, including `%`, so that different bytes have different texts.
  static func encoded(_ bytes: some Collection<UInt8>) -> String {
    escaped(bytes.map { ($0, false) }) { isUnreserved($0.byte) }
  }

  /// A file system path in the form that `normalized` gives to paths of URLs.
  package static func encodedPath(_ path: [UInt8]) -> String {
    escaped(path.map { ($0, false) }) { isPlain($0.byte) && $0.byte != UInt8(ascii: "?") }
  }

  /// The bytes of a text with escapes. Invalid escapes stay as they are.
  package static func decoded(_ text: some StringProtocol) -> [UInt8] { units(of: text).map(\.byte) }

  private typealias Unit = (byte: UInt8, isEscape: Bool)

  private static func units(of text: some StringProtocol) -> [Unit] {
    let bytes = Array(text.utf8)
    var units: [Unit] = []
    units.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = ASCII.hexValue(bytes[index + 1]), let low = ASCII.hexValue(bytes[index + 2])
      {
        units.append((high << 4 | low, true))
        index += 3
      } else {
        units.append((bytes[index], false))
        index += 1
      }
    }
    return units
  }

  private static func escaped(_ units: [Unit], unless isKept: (Unit) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    output.reserveCapacity(units.count + 16)
    for unit in units {
      if isKept(unit) {
        output.append(unit.byte)
      } else {
        output += [UInt8(ascii: "%"), digits[Int(unit.byte >> 4)], digits[Int(unit.byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Whether a byte stands for itself in a path or query, and needs no escape.
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
