import MillraceSpelling

/// A value in at most a hundred characters.
package struct ValueText: CustomStringConvertible {
  private static let longest = 100
  /// The number of characters in which the first difference between two values is searched for.
  private static let mostCompared = 1000
  private static let elements = 10  // of each collection, since spelling a whole large value is slow

  package let description: String

  package init(_ value: Any) {
    description = Self.text(of: value, Self.longest).shortened(to: Self.longest)
  }

  /// Excerpts of both values where they differ. If their texts are equal, the types are added.
  static func pair(_ old: Any, _ new: Any) -> (String, String) {
    let (oldText, newText) = (text(of: old, mostCompared), text(of: new, mostCompared))
    if oldText != newText, !areLookAlikes(oldText, newText) { return excerpts(oldText, newText) }
    if let old = old as? String, let new = new as? String, old != new {
      return excerpts(
        Spelling.quoted(old, escapingEmoji: true), Spelling.quoted(new, escapingEmoji: true))
    }
    let text = oldText.shortened(to: longest)
    guard type(of: old) != type(of: new) else { return (text, "another one that reads the same") }
    return ("\(text) (\(name(of: old)))", "\(text) (\(name(of: new)))")
  }

  /// Whether two texts differ only in invisible characters, such as those that select the shape of an emoji.
  private static func areLookAlikes(_ old: String, _ new: String) -> Bool {
    func shapes(_ text: String) -> [Unicode.Scalar] {
      text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
    }
    return shapes(old) == shapes(new)
  }

  /// The type of a value, as a person would write it.
  static func name(of value: Any) -> String { Spelling.name(of: type(of: value)) }

  private static func text(of value: Any, _ characters: Int) -> String {
    Spelling.text(of: value, elements: elements, characters: characters, lookingIntoObjects: true)
  }

  private static func excerpts(_ old: String, _ new: String) -> (String, String) {
    let start = old.distance(from: old.startIndex, to: StringSpan(old, new).old.lowerBound)
    // A few characters before the difference, unless it is near the beginning anyway.
    let skipped = start > longest / 2 ? start - longest / 5 : 0
    func excerpt(_ text: String) -> String {
      (skipped > 0 ? "…" : "") + text.dropFirst(skipped).shortened(to: longest)
    }
    return (excerpt(old), excerpt(new))
  }
}

extension StringProtocol {
  func shortened(to length: Int) -> String {
    let start = prefix(length)
    return start.endIndex == endIndex ? String(self) : "\(start)…"
  }
}
