/// A text that is equal to another only if their bytes are. `String` considers some texts with different bytes equal,
/// such as two spellings of `é`; as file names and arguments they differ.
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
