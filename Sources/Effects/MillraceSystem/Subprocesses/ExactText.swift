/// A text that equals another only if its bytes do. `String` takes texts for equal that look alike, such as two
/// spellings of `é`; as file names and arguments they are different.
struct ExactText: Hashable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (one: ExactText, other: ExactText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}
