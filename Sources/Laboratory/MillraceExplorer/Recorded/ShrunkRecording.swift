/// The result of replaying and shortening a recording: see `Explorer.shrink(_:)` of `MillraceFaults`.
///
/// Experimental: the explorer may change with every version.
public struct ShrunkRecording<State: Sendable, Action: Sendable>: Sendable, CustomStringConvertible {
  /// The property that the recorded program violated, with the shortest path found and a test that takes it; `nil` if
  /// every property held in every state.
  public let counterexample: Counterexample<State, Action>?
  /// The number of moves of the recording: actions from outside, actions of runs, and ends of runs.
  public let recordedMoves: Int
  /// The number of moves up to the violation. Without a violation, the number of moves that could be made.
  public let madeMoves: Int
  /// Moves of runs that are not in progress in the feature, in words. The feature is then connected differently than in
  /// the recorded program, or asks for other requests.
  public let leftOut: [String]
  /// Mistakes that the store reported, and parts of the feature that cannot be explored.
  public let problems: [String]
  /// Whether the explorer has a property that a single state can violate.
  let hasProperties: Bool

  /// Whether every property held in every state, and every move could be made.
  public var isClean: Bool {
    counterexample == nil && leftOut.isEmpty && problems.isEmpty && hasProperties
  }

  /// The story and the test, the moves left out, and the numbers of moves.
  public var description: String {
    var parts: [String] = counterexample.map { ["\($0)"] } ?? []
    if !hasProperties { parts.append("There is no property that holds always or never.") }
    for (heading, lines) in [
      ("The feature has no such run, so these moves are left out:", leftOut), ("Problems:", problems),
    ] where !lines.isEmpty {
      let shown = lines.prefix(20).map { "  \($0)" }
      let rest = lines.count > 20 ? ["  and \(lines.count - 20) more"] : []
      parts.append(([heading, ""] + shown + rest).joined(separator: "\n"))
    }
    let moves = "\(recordedMoves) recorded move\(recordedMoves == 1 ? "" : "s")"
    if let counterexample {
      parts.append(
        "Shrunk \(madeMoves) of \(moves), those up to the violation, to \(counterexample.steps.count).")
    } else {
      parts.append("Went \(madeMoves) of \(moves).")
    }
    return parts.joined(separator: "\n\n")
  }
}

extension Explorer {
  /// Repeats recorded moves in the model of the feature, and leaves out as many as possible.
  ///
  /// - Parameter state: the state before the first move.
  package func shrink(
    _ moves: [RecordedMove<Action>], from state: State
  ) -> ShrunkRecording<State, Action> {
    let explorer = changed { $0.initialState = state }
    let exploration = Exploration(explorer)
    var retrace = Retrace(exploration: exploration)
    let found = retrace.find(in: moves)
    let counterexample = found.map { found in
      let (steps, places) = retrace.way(of: found.found.moves)
      return exploration.counterexample(to: properties[found.found.property], steps, places)
    }
    return ShrunkRecording(
      counterexample: counterexample, recordedMoves: moves.count,
      madeMoves: found?.whole ?? moves.count - retrace.leftOut.count, leftOut: retrace.leftOut,
      problems: exploration.problems, hasProperties: properties.contains { !$0.kind.looksAtWays })
  }

  /// Recorded moves as steps, without those that the feature, as connected here, cannot make.
  ///
  /// - Parameter state: the state before the first move.
  package func steps(of moves: [RecordedMove<Action>], from state: State) -> [ExploredStep<Action>] {
    Retrace(exploration: Exploration(changed { $0.initialState = state })).way(of: moves).steps
  }
}
