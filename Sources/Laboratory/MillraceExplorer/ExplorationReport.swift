import Millrace

/// The result of an ``Explorer``.
///
/// Experimental: the explorer may change with every version.
public struct ExplorationReport<State: Sendable, Action: Sendable>: Sendable, CustomStringConvertible {
  /// How much was explored.
  public struct Counts: Sendable, Hashable {
    /// The number of different states, each with its requests in progress; 0 after random walks, which keep none.
    public internal(set) var states = 0
    /// The number of moves made, those that led to known states included.
    public internal(set) var moves = 0
    /// The largest number of moves from the initial state.
    public internal(set) var depth = 0
    /// The number of random walks.
    public internal(set) var walks = 0
  }

  /// The bounds of an exploration.
  public enum Bound: Sendable, Hashable {
    /// States as far away as allowed were not explored further.
    case depth(Int)
    /// No more states than these were kept.
    case states(Int)
    /// The exploration ended when this time was over.
    case time(Duration)
    /// The exploration ended when the calling task was cancelled.
    case cancellation
  }

  /// How much was explored.
  public internal(set) var counts = Counts()
  /// The bounds that were met. Without any, everything was explored that the moves lead to, unless the exploration
  /// stopped at a violation.
  public internal(set) var bounds: [Bound] = []
  /// The properties that do not hold, each with a shortest way to see it.
  public internal(set) var counterexamples: [Counterexample<State, Action>] = []
  /// The properties of `alwaysReachable` and `eventually` that were not decided, since a bound was met.
  public internal(set) var undecided: [String] = []
  /// The effects, with the types of their requests, that were in progress and of which no outcomes are listed.
  public internal(set) var unlisted: [String] = []
  /// The lists of outcomes of requests that were never in progress.
  public internal(set) var unusedOutcomes: [String] = []
  /// The components and views that were connected and of which it is not listed what they send.
  public internal(set) var unlistedComponents: [String] = []
  /// Listed outcomes that do not fit the effect, what cannot be explored, and mistakes that the store reported.
  public internal(set) var problems: [String] = []
  /// In which ways the exploration was not complete.
  public internal(set) var gaps: Set<ExplorationGap> = []
  var allowed: Set<ExplorationGap> = []
  var isRandom = false

  /// Whether every property held, nothing was wrong, and the exploration was complete but for what the explorer allows.
  /// Random walks, which never are complete, are clean without.
  public var isClean: Bool { counterexamples.isEmpty && problems.isEmpty && gaps.isSubset(of: allowed) }

  /// Everything that was found, in words: the stories, the tests that reproduce them, the counts and the gaps.
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
