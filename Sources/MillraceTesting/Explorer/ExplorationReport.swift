import Millrace

/// What an ``Explorer`` found.
public struct ExplorationReport<State: Sendable, Action: Sendable>: Sendable, CustomStringConvertible {
  /// How much was explored.
  public struct Counts: Sendable, Hashable {
    /// The number of different states, each with its requests in progress; 0 after random walks, which keep none.
    public internal(set) var states = 0
    /// The number of moves made, those that led to known states included.
    public internal(set) var moves = 0
    /// The number of moves that were not made, since they commute with moves of other parts that were; see
    /// ``Explorer/part(_:changedBy:)``.
    public internal(set) var skipped = 0
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
  }

  /// How much was explored.
  public internal(set) var counts = Counts()
  /// The bounds that were met. Without any, everything was explored that the moves lead to, unless the exploration
  /// stopped at a violation.
  public internal(set) var bounds: [Bound] = []
  /// The properties that do not hold, each with a shortest way to see it.
  public internal(set) var counterexamples: [Counterexample<State, Action>] = []
  /// The effects, with the types of their requests, that were in progress and of which no outcomes are listed.
  public internal(set) var unlisted: [String] = []
  /// Listed outcomes that do not fit the effect, declared parts that are not what the test says, and mistakes that the
  /// store reported.
  public internal(set) var problems: [String] = []
  /// The effects that watch more than one of the declared parts, and lifetimes: because of these, every move was made in
  /// every order.
  public internal(set) var undivided: [String] = []
  var isRandom = false

  /// Whether every property held, every outcome was listed and nothing was wrong. Bounds may have been met.
  public var isClean: Bool { counterexamples.isEmpty && unlisted.isEmpty && problems.isEmpty }

  /// Everything that was found, in words: the stories, the tests that reproduce them, the counts and the bounds.
  public var description: String {
    var parts = counterexamples.map { "\($0)" }
    if !unlisted.isEmpty {
      let lines = unlisted.map { "  \($0)" }.joined(separator: "\n")
      parts.append("No outcomes are listed of these requests, which never answered:\n\n\(lines)")
    }
    if !problems.isEmpty {
      let lines = problems.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      parts.append("Problems:\n\n" + lines.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n"))
    }
    if !undivided.isEmpty {
      let lines = undivided.map { "  \($0)" }.joined(separator: "\n")
      parts.append("No moves were left out, since these watch more than one part:\n\n\(lines)")
    }
    parts.append(summary)
    return parts.joined(separator: "\n\n")
  }

  private var summary: String {
    let moves = "\(Self.count(counts.moves, "move")), \(counts.depth) deep"
    if isRandom { return "Went \(Self.count(counts.walks, "random way")), \(moves)." }
    var text = "Explored \(Self.count(counts.states, "state")) by \(moves)"
    if counts.skipped > 0 {
      text += "; parts save \(Self.count(counts.skipped, "move")), a factor of \(factor)"
    }
    for bound in bounds {
      switch bound {
      case .depth(let depth): text += "; BOUND: nothing deeper than \(depth) was explored"
      case .states(let states): text += "; BOUND: no more than \(states) states were kept"
      }
    }
    if bounds.isEmpty { text += counterexamples.isEmpty ? ": all there are" : ", and stopped there" }
    return text + "."
  }

  /// By how many times the moves without parts would be more, with one decimal.
  private var factor: String {
    let tenths = ((counts.moves + counts.skipped) * 10 + counts.moves / 2) / counts.moves
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
