extension DifferenceComparison {
  private static let longest = 60

  /// Shows short strings whole, of strings of many lines the lines that differ, and of other strings the part that
  /// differs.
  mutating func compareStrings(_ old: String, _ new: String, at path: DifferencePath) -> Outcome {
    guard old != new else { return .equal }
    let (oldLines, newLines) = (Self.lines(of: old), Self.lines(of: new))
    guard oldLines.count > 1 || newLines.count > 1 else { return compareLines(old, new, at: path) }
    // A difference of line ends alone is not visible in lines.
    guard oldLines != newLines else { return found(.replaced(old: old, new: new), at: path) }
    return compareInOrder(
      count: (oldLines.count, newLines.count), areAlike: { oldLines[$0] == newLines[$1] },
      changed: { comparison, old, new in
        comparison.compareLines(oldLines[old], newLines[new], at: path.part("line \(new + 1)"))
      },
      inserted: { comparison, new in
        comparison.found(.added(newLines[new], at: nil), at: path.part("line \(new + 1)"))
      },
      removed: { comparison, old in
        comparison.found(.removed(oldLines[old]), at: path.part("line \(old + 1)"))
      })
  }

  private mutating func compareLines(_ old: String, _ new: String, at path: DifferencePath) -> Outcome {
    let start = StringSpan(differingIn: old, from: new).start
    guard max(old.count, new.count) > Self.longest, start > 0 else {
      return found(.replaced(old: old, new: new), at: path)
    }
    let context = 10
    let from = max(0, start - context)
    func excerpt(_ text: String, from other: String) -> String {
      let span = StringSpan(differingIn: text, from: other)
      let end = span.start + min(span.count, Self.longest) + context
      let part = text.prefix(end).dropFirst(from)
      return (from > 0 ? "…" : "") + part + (part.endIndex < text.endIndex ? "…" : "")
    }
    return found(
      .replaced(old: excerpt(old, from: new), new: excerpt(new, from: old)),
      at: path.part("from character \(start + 1)"))
  }

  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
