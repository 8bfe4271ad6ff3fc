extension Spelling {
  /// The largest number of characters of a value in a story.
  private static let most = 120

  /// A value for a story that a person reads: of a text of more than 120 characters the first 80 and the last 20. Two
  /// values may read the same, so nothing is compared by it.
  package static func abridged(_ value: Any) -> String { abridged(text: text(of: value)) }

  /// A text in the same way.
  package static func abridged(text: String) -> String {
    // Bytes are counted at once, characters are not.
    if text.utf8.count <= most || text.count <= most { return text }
    return "\(text.prefix(80)) … \(text.suffix(20))"
  }
}
