/// Kinds of bytes.
enum ASCII {
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Whether a byte is a space of HTML and Markdown: tab, line feed, form feed, carriage return or space.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte != 0x0B && (0x09...0x0D).contains(byte) }

  /// Whether a byte is a space or a tab, which may invisibly end a line of Markdown.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

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

extension ArraySlice<UInt8> {
  /// The index after the first occurrence of one of the texts, which are in lower case; `nil` if there is none.
  func end(ofFirst texts: [String]) -> Int? {
    let ends = texts.map { Array($0.utf8) }
    let beginnings = Set(ends.compactMap(\.first))
    for index in indices where beginnings.contains(self[index]) {
      let rest = self[index...]
      if let end = ends.first(where: { rest.prefix($0.count).elementsEqual($0) { ASCII.lower($0) == $1 } }) {
        return index + end.count
      }
    }
    return nil
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without ASCII space at both ends.
  var trimmed: SubSequence {
    var rest = self[...]
    while let first = rest.first, ASCII.isSpace(first) { rest.removeFirst() }
    while let last = rest.last, ASCII.isSpace(last) { rest.removeLast() }
    return rest
  }
}

extension StringProtocol {
  /// The text without ASCII space at both ends.
  var trimmed: String { String(Substring(Substring(self).utf8.trimmed)) }
}
