/// A text that equals another one if both have the same bytes.
///
/// Two strings are equal even if they only mean the same characters, such as an accented letter and a letter followed
/// by an accent. A server or a file system takes those for different addresses and names.
package struct ByteEqual: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }

  package static func == (left: ByteEqual, right: ByteEqual) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(255))  // ends a text, since UTF-8 has no such byte
  }
}
