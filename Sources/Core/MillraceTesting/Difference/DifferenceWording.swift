/// The wording of differences: as changes from an old value to a new one, or as an expected and an actual value.
enum DifferenceWording {
  case change
  case expectation

  func line(for finding: DifferenceFinding, at path: DifferencePath) -> String {
    let words = words(for: finding)
    return path.text.isEmpty ? words : "\(path.text): \(words)"
  }

  private func words(for finding: DifferenceFinding) -> String {
    switch (self, finding) {
    case (_, .replaced(let old, let new)):
      let (old, new) = ValueText.pair(old, new)
      return self == .change ? "\(old) → \(new)" : "expected \(old), is \(new)"
    case (.change, .added(let value, let index)):
      return "added \(index.map { "at \($0): " } ?? "")\(ValueText(value))"
    case (.expectation, .added(let value, let index)):
      return "unexpected\(index.map { " at \($0):" } ?? "") \(ValueText(value))"
    case (.change, .removed(let value)): return "removed \(ValueText(value))"
    case (.expectation, .removed(let value)): return "missing \(ValueText(value))"
    case (.change, .moved(let old, let new)): return "moved from \(old) to \(new)"
    case (.expectation, .moved(let old, let new)): return "expected at \(old), is at \(new)"
    case (_, .hidden(let value)) where type(of: value) is AnyClass:
      return "another instance, unequal by ==, that holds the same: \(ValueText(value))"
    case (_, .unfinished(let reason)): return "not compared any further: \(reason)"
    case (_, .hidden(let value)):
      return "unequal by ==, in something that reflection does not show: \(ValueText(value))"
    case (_, .otherInstance(let object)):
      return "another instance of \(ValueText.name(of: object)), of which reflection shows nothing"
    }
  }
}
