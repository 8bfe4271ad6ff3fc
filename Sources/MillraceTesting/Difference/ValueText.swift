import Millrace

/// A value in at most a hundred characters.
package struct ValueText: CustomStringConvertible {
  private static let longest = 100
  private static let elements = 10  // of each collection: a large value is not spelled for its first words

  package let description: String

  package init(_ value: Any) {
    description = Self.full(value).shortened(to: Self.longest)
  }

  /// Both values, each in the part that differs. If they read the same, their types are added.
  static func pair(_ old: Any, _ new: Any) -> (String, String) {
    let (oldText, newText) = (full(old), full(new))
    guard oldText == newText else { return excerpts(oldText, newText) }
    let text = oldText.shortened(to: longest)
    return ("\(text) (\(name(of: old)))", "\(text) (\(name(of: new)))")
  }

  /// The type of a value, as a person would write it.
  static func name(of value: Any) -> String { Spelling.name(of: type(of: value)) }

  private static func full(_ value: Any) -> String {
    if value is String || value is Substring || value is Character { return String(reflecting: value) }
    return Spelling.text(of: value, elements: elements)
  }

  private static func excerpts(_ old: String, _ new: String) -> (String, String) {
    let start = StringSpan(differingIn: old, from: new).start
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
