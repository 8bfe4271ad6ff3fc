import MillraceTestStore

/// The invariants of a test that faults broke.
public struct FaultReport: Sendable, CustomStringConvertible {
  /// An invariant that does not hold if requests go wrong.
  public struct Break: Sendable, CustomStringConvertible {
    /// The faults with their requests: `SearchEffect (String) fails` for all requests of a kind, `SearchEffect "swift"
    /// fails` for one. Empty if the test breaks the invariant without a fault.
    public let faults: [String]
    /// The name of the invariant.
    public let invariant: String
    /// The actions that were reduced and the faults that struck, in order, up to the break.
    public let story: [String]

    /// The faults, the invariant, and the story, one step a line.
    public var description: String {
      let head = faults.isEmpty ? "without a fault" : faults.joined(separator: ", and ")
      let steps = story.enumerated().map { "    \($0 + 1). \($1)" }
      return (["  \"\(invariant)\" is broken when \(head):"] + steps).joined(separator: "\n")
    }
  }

  /// The broken invariants; those of single faults come first. The list leaves out a fault of one request if the same
  /// fault of all of its kind breaks the invariant. It leaves out a pair if one of its faults does so alone.
  public let breaks: [Break]
  /// The reruns that did not end, each with its faults, the repeated step and the requests in progress.
  public let endless: [String]
  /// The number of reruns.
  public let reruns: Int
  /// The requests that can fail but were not made to, with the reason. See ``FaultMatrix/withoutFailures(of:)``.
  public let untriedFailures: [String]
  /// The number of faults of single requests and of faults halfway that the bound left out.
  public let omittedSingles: Int
  /// The number of pairs that the bound left out.
  public let omittedPairs: Int

  /// Whether the test itself set the bound of singles.
  let isOmissionAllowed: Bool
  /// The place of the matrix if it has no invariant; otherwise `nil`.
  let unchecked: TestPlace?

  /// Whether faults were tried and none broke an invariant. `false` if there is no invariant, if a request can fail and
  /// no failure of it was tried, or if a rerun did not end.
  public var isClean: Bool {
    breaks.isEmpty && untriedFailures.isEmpty && endless.isEmpty && unchecked == nil && reruns > 0
      && (omittedSingles == 0 || isOmissionAllowed)
  }

  /// The breaks with their stories, then the numbers of reruns and of what was left out.
  public var description: String {
    var lines = breaks.map(\.description)
    lines.append(
      "  \(reruns) reruns, \(breaks.count) broken invariants"
        + (omittedSingles > 0 ? "; \(omittedSingles) faults of single requests were left out" : "")
        + (omittedPairs > 0 ? "; \(omittedPairs) pairs were left out" : ""))
    if reruns == 0 { lines.append("  the test answers no request, so nothing could go wrong") }
    if let unchecked {
      lines.append(
        "  nothing was checked: the matrix at \(unchecked) has no invariant(_:_:) and no finally(_:_:)")
    }
    lines += (untriedFailures + endless).map { "  \($0)" }
    return lines.joined(separator: "\n")
  }
}
