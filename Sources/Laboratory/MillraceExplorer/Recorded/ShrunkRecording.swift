import Millrace

/// What came of going a recorded way again and making it shorter: by `Explorer.shrink(_:)` of `MillraceTestStore`.
///
/// Experimental: the explorer may change with every version.
public struct ShrunkRecording<State: Sendable, Action: Sendable>: Sendable, CustomStringConvertible {
  /// The property that the recorded program violated, with the shortest way found and the test that goes it; `nil` if
  /// every property held in every state of the recording.
  public let counterexample: Counterexample<State, Action>?
  /// The number of moves of the recording: actions from outside, actions of runs, and ends of runs.
  public let recordedMoves: Int
  /// The number of moves up to the violation; without one, of all that were made.
  public let madeMoves: Int
  /// Moves of runs that the feature does not have in progress, in words: it is not connected as in the program, or asks
  /// for other requests.
  public let leftOut: [String]
  /// Mistakes that the store reported, and what cannot be explored.
  public let problems: [String]
  /// Whether the explorer has a property that every state can violate.
  let hasProperties: Bool

  /// Whether every property held in every state, and every move could be made.
  public var isClean: Bool {
    counterexample == nil && leftOut.isEmpty && problems.isEmpty && hasProperties
  }

  /// The story and the test, what was left out, and how much.
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
  /// Goes a recorded way in the model of the feature, and makes it as short as leaving moves out can make it.
  ///
  /// - Parameter state: the state before the first move.
  package func shrink(
    _ moves: [RecordedMove<Action>], from state: State
  ) -> ShrunkRecording<State, Action> {
    let explorer = changed { $0.initialState = state }
    let exploration = Exploration(explorer)
    var retrace = Retrace(exploration)
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

  /// A recorded way as steps, without what the feature, as it is connected here, cannot do.
  ///
  /// - Parameter state: the state before the first move.
  package func steps(of moves: [RecordedMove<Action>], from state: State) -> [ExploredStep<Action>] {
    Retrace(Exploration(changed { $0.initialState = state })).way(of: moves).steps
  }
}
