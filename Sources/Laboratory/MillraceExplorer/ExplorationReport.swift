/// The result of an ``Explorer``.
///
/// Experimental: the explorer may change with every version.
public struct ExplorationReport<State: Sendable, Action: Sendable>: Sendable, CustomStringConvertible {
  /// How much was explored.
  public struct Counts: Sendable, Hashable {
    /// The number of different states, where equal states with different requests in progress count apart; 0 after
    /// random walks, which keep no states.
    public internal(set) var states = 0
    /// The number of moves made, including those that led to known states.
    public internal(set) var moves = 0
    /// The largest number of moves from the initial state.
    public internal(set) var depth = 0
    /// The number of random walks.
    public internal(set) var walks = 0
  }

  /// The bounds of an exploration.
  public enum Bound: Sendable, Hashable {
    /// States at this depth were not explored further.
    case depth(Int)
    /// The exploration kept at most this number of states.
    case states(Int)
    /// The exploration ended after this time.
    case time(Duration)
    /// The exploration ended when the calling task was cancelled.
    case cancellation
  }

  /// How much was explored.
  public internal(set) var counts = Counts()
  /// The bounds that were met. If there are none, the exploration is complete, unless it stopped at a violation.
  public internal(set) var bounds: [Bound] = []
  /// The properties that do not hold, each with a shortest path that shows it.
  public internal(set) var counterexamples: [Counterexample<State, Action>] = []
  /// The properties of `alwaysReachable` and `eventually` that a bound left undecided.
  public internal(set) var undecided: [String] = []
  /// The effects whose requests were in progress and have no listed outcomes, each with the type of its requests.
  public internal(set) var unlisted: [String] = []
  /// The lists of outcomes whose requests were never in progress.
  public internal(set) var unusedOutcomes: [String] = []
  /// The connected components and views whose actions are not listed.
  public internal(set) var unlistedComponents: [String] = []
  /// Outcomes that do not fit their effect, parts of the feature that cannot be explored, and mistakes that the store
  /// reported.
  public internal(set) var problems: [String] = []
  /// The ways in which the exploration was incomplete.
  public internal(set) var gaps: Set<ExplorationGap> = []
  var allowed: Set<ExplorationGap> = []
  var isRandom = false

  /// Whether every property held, nothing was wrong, and the exploration was complete except for the allowed gaps.
  /// Random walks are never complete; for them completeness is not required.
  public var isClean: Bool { counterexamples.isEmpty && problems.isEmpty && gaps.isSubset(of: allowed) }

  /// The findings in words: the stories, the tests that reproduce them, the counts and the gaps.
  public var description: String {
    var parts = counterexamples.map { "\($0)" }
    add(&parts, "Not decided within the bounds, for so many states:", undecided)
    add(&parts, "No outcomes are listed of these requests, which never answered:", unlisted)
    if gaps.contains(.nothingToCheck) {
      let kinds =
        isRandom
        ? "always or never, which random walks check" : "always, never, alwaysReachable or eventually"
      parts.append("Nothing was checked: the explorer has no property that is \(kinds).")
    }
    add(&parts, "No such request was ever in progress:", unusedOutcomes)
    add(&parts, "Say by component(_:sends:) what these may send, which was not explored:", unlistedComponents)
    add(
      &parts, "Problems:",
      problems.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) })
    parts.append(summary)
    return parts.joined(separator: "\n\n")
  }

  private func add(_ parts: inout [String], _ heading: String, _ lines: [String]) {
    if lines.isEmpty { return }
    parts.append(([heading, ""] + lines.map { $0.isEmpty ? "" : "  \($0)" }).joined(separator: "\n"))
  }

  private var summary: String {
    let moves = "\(Self.count(counts.moves, "move")), \(counts.depth) deep"
    if isRandom { return "Went \(Self.count(counts.walks, "random way")), \(moves)." }
    var text = "Explored \(Self.count(counts.states, "state")) by \(moves)"
    for bound in bounds {
      switch bound {
      case .depth(let depth): text += "; BOUND: nothing deeper than \(depth) was explored"
      case .states(let states): text += "; BOUND: no more than \(states) states were kept"
      case .time(let time): text += "; BOUND: the time of \(time) was over"
      case .cancellation: text += "; BOUND: the task was cancelled"
      }
    }
    if gaps.contains(.nothingToExplore) { return text + ": there was nothing to explore." }
    if bounds.isEmpty { text += counterexamples.isEmpty ? ": all there are" : ", and stopped there" }
    return text + "."
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
