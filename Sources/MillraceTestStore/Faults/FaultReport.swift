/// What faults did to the invariants of a test.
public struct FaultReport: Sendable, CustomStringConvertible {
  /// An invariant that does not hold where requests go wrong.
  public struct Break: Sendable, CustomStringConvertible {
    /// The faults, each with its request, as in `SearchEffect (String) fails`. None if the test itself breaks it.
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

  /// The broken invariants, those of single faults first. A pair of faults is listed only if neither of them breaks the
  /// invariant alone.
  public let breaks: [Break]
  /// How many reruns were made.
  public let reruns: Int
  /// The requests that can fail, of which no failure was given, so that none was tried.
  public let untriedFailures: [String]
  /// How many pairs were left out because of the bound.
  public let omittedPairs: Int

  /// Whether no fault breaks an invariant.
  public var isClean: Bool { breaks.isEmpty }

  /// The breaks, each with its story, then how much was tried.
  public var description: String {
    var lines = breaks.map(\.description)
    lines.append(
      "  \(reruns) reruns, \(breaks.count) broken invariants"
        + (omittedPairs > 0 ? "; \(omittedPairs) pairs were left out" : ""))
    lines += untriedFailures.map { "  \($0) can fail, and no failure of it was given" }
    return lines.joined(separator: "\n")
  }
}
