/// A text that equals another one if both have the same bytes.
///
/// Two strings are equal even if they only mean the same characters, such as an accented letter and a letter followed
/// by an accent. A server or a file system takes those for different addresses and names.
struct ByteEqual: Hashable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { text }

  static func == (left: ByteEqual, right: ByteEqual) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(255))  // ends a text, since UTF-8 has no such byte
  }
}
