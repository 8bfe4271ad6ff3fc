extension DifferenceComparison {
  private static let longest = 60
  private static let context = 10

  /// Shows short strings whole. Of strings of many lines, it shows the lines that differ; of other strings, the part
  /// that differs.
  ///
  /// - Complexity: O(n) for the bytes of the strings.
  mutating func compareStrings(_ old: String, _ new: String, at path: DifferencePath) -> Outcome {
    guard old != new else { return .equal }
    if isProbe { return .different }
    let (oldLines, newLines) = (Self.lines(of: old), Self.lines(of: new))
    guard oldLines.count > 1 || newLines.count > 1 else { return compareLines(old, new, at: path) }
    return compareInOrder(
      oldLines.indices, newLines.indices,
      areAlike: { oldLines[$0].elementsEqual(newLines[$1]) },
      changed: { comparison, old, new in
        comparison.compareLines(
          Self.text(of: oldLines[old]), Self.text(of: newLines[new]), at: path.part("line \(new + 1)"))
      },
      inserted: { comparison, new in
        comparison.found(.added(Self.text(of: newLines[new]), at: nil), at: path.part("line \(new + 1)"))
      },
      removed: { comparison, old in
        comparison.found(.removed(Self.text(of: oldLines[old])), at: path.part("line \(old + 1)"))
      })
  }

  /// The lines of a string without their line feeds. A carriage return before a line feed is part of the line.
  private static func lines(of text: String) -> [Substring.UTF8View] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  private static func text(of line: Substring.UTF8View) -> String { String(Substring(line)) }

  private mutating func compareLines(_ old: String, _ new: String, at path: DifferencePath) -> Outcome {
    guard old != new else { return .equal }
    guard findings.isShowingMore else { return found(.replaced(old: old, new: new), at: path) }
    let span = StringSpan(old, new)
    guard Self.isLong(old) || Self.isLong(new), span.old.lowerBound > old.startIndex else {
      return found(.replaced(old: old, new: new), at: path)
    }
    return found(
      .replaced(old: Self.excerpt(of: old, span.old), new: Self.excerpt(of: new, span.new)),
      at: path.part("from character \(old.distance(from: old.startIndex, to: span.old.lowerBound) + 1)"))
  }

  private static func isLong(_ text: String) -> Bool {
    text.index(text.startIndex, offsetBy: longest + 1, limitedBy: text.endIndex) != nil
  }

  /// The part of a string that differs, with a few characters around it.
  private static func excerpt(of text: String, _ span: Range<String.Index>) -> String {
    let start =
      text.index(span.lowerBound, offsetBy: -context, limitedBy: text.startIndex) ?? text.startIndex
    let most = text.index(span.lowerBound, offsetBy: longest, limitedBy: span.upperBound) ?? span.upperBound
    let end = text.index(most, offsetBy: context, limitedBy: text.endIndex) ?? text.endIndex
    return (start > text.startIndex ? "…" : "") + text[start..<end] + (end < text.endIndex ? "…" : "")
  }
}
