import MillraceDescriptors
import MillraceSpelling

/// Says how far a large exploration is, so that it is not taken for one that hangs.
struct ExplorationProgress {
  /// The number of states after which a line is written, each time.
  var interval = 100_000
  var write: (String) -> Void = { StandardError.write(line: $0) }

  /// Another state was reached.
  ///
  /// - Parameter depth: the number of moves to the states that are being expanded.
  func reached<State>(_ states: Int, of _: State.Type, depth: Int, moves: Int) {
    guard states.isMultiple(of: interval) else { return }
    write(
      """
      The explorer of \(Spelling.name(of: State.self)) has reached \(states) states by \(moves) moves, at depth \(depth). \
      Bound what grows, or give bounds to explore(depth:states:within:).
      """)
  }
}
