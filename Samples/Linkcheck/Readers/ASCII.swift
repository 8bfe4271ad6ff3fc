/// Kinds of bytes.
enum ASCII {
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Space as HTML and Markdown have it: tab, line feed, form feed, carriage return and the space itself.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension StringProtocol {
  /// Without ASCII space at both ends.
  var trimmed: String {
    var rest = Substring(self)
    while let first = rest.utf8.first, ASCII.isSpace(first) {
      rest = rest[rest.utf8.index(after: rest.startIndex)...]
    }
    while let last = rest.utf8.last, ASCII.isSpace(last) {
      rest = rest[..<rest.utf8.index(before: rest.endIndex)]
    }
    return String(rest)
  }
}
