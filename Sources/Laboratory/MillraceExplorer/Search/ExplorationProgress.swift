import MillraceDescriptors
import MillraceSpelling

/// Reports the progress of a large exploration, so that it does not look as if it hangs.
struct ExplorationProgress {
  /// The number of states between two lines.
  var interval = 10_000
  var write: (String) -> Void = { StandardError.write(line: $0) }

  /// Reports that another state was reached.
  ///
  /// - Parameter depth: the number of moves to the states that are being expanded.
  func reached<State>(_ states: Int, of _: State.Type, depth: Int, moves: Int) {
    guard states.isMultiple(of: interval) else { return }
    write(
      """
      The explorer of \(Spelling.name(of: State.self)) has reached \(states) states by \(moves) moves, at depth \(depth). \
      Bound what grows in the state or in its requests, or give bounds to explore(depth:states:within:).
      """)
  }
}
