extension Spelling {
  /// The largest number of characters of a value in a story.
  private static let most = 120

  /// A value for a story, in at most about 120 characters: of a longer text the first 80 and the last 20. Different
  /// values may have equal texts, so do not compare them.
  package static func abridged(_ value: Any) -> String { abridged(text: text(of: value)) }

  /// Abridges a text in the same way.
  package static func abridged(text: String) -> String {
    // Counting bytes is fast, counting characters is not.
    if text.utf8.count <= most || text.count <= most { return text }
    return "\(text.prefix(80)) … \(text.suffix(20))"
  }
}
