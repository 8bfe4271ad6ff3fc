import MillraceTestStore

/// The invariants of a test that faults broke.
public struct FaultReport: Sendable, CustomStringConvertible {
  /// An invariant that does not hold where requests go wrong.
  public struct Break: Sendable, CustomStringConvertible {
    /// The faults, each with its requests: `SearchEffect (String) fails` for all requests of a kind,
    /// `SearchEffect "swift" fails` for one. None if the test itself breaks the invariant.
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

  /// The broken invariants, those of single faults first. A fault of one request is listed only if the fault of all of its
  /// kind does not break the invariant, and a pair of faults only if neither of them does alone.
  public let breaks: [Break]
  /// The reruns whose test did not end, each with its faults, the step that it repeated and what was in progress.
  public let endless: [String]
  /// How many reruns were made.
  public let reruns: Int
  /// The requests that can fail and were not made to, with the reason. See ``FaultMatrix/withoutFailures(of:)``.
  public let untriedFailures: [String]
  /// How many faults of single requests and halfway were left out because of the bound.
  public let omittedSingles: Int
  /// How many pairs were left out because of the bound.
  public let omittedPairs: Int

  /// Whether the bound of singles was set by the test.
  let isOmissionAllowed: Bool
  /// The place of the matrix if it has no invariant; `nil` if it has.
  let unchecked: TestPlace?

  /// Whether faults were tried, and none of them breaks an invariant. Not so if there is no invariant, if a request can
  /// fail and no failure of it was tried, or if the test did not end in a rerun.
  public var isClean: Bool {
    breaks.isEmpty && untriedFailures.isEmpty && endless.isEmpty && unchecked == nil && reruns > 0
      && (omittedSingles == 0 || isOmissionAllowed)
  }

  /// The breaks, each with its story, then how much was tried.
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
