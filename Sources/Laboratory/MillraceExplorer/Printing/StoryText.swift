import MillraceSpelling
import MillraceTesting

/// Describes moves from the initial state: a line for each move, and the changes that it makes. Large values are
/// abridged.
struct StoryText<State: Sendable, Action: Sendable> {
  let steps: [ExploredStep<Action>]
  let states: [State]
  let running: [RunningRequests]

  /// The story of a counterexample.
  ///
  /// - Parameter cycle: how many of the last moves repeat for ever.
  func text(showing property: ExploredProperty<State>, cycle: Int = 0) -> String {
    let end = cycle == 0 ? [] : ["  and so on, from move \(steps.count - cycle + 1) again"]
    return ([heading(property), ""] + lines + end).joined(separator: "\n")
  }

  var lines: [String] {
    var lines = ["  at first: \(ValueText(states[0]))"]
    if !running[0].isEmpty { lines.append("       in progress: \(Self.reported(running[0]))") }
    for (index, step) in steps.enumerated() {
      lines.append("  \(index + 1). \(StepText.reported(step))")
      lines += Difference(from: states[index], to: states[index + 1]).lines.map { "       \($0)" }
      if Self.texts(running[index]) != Self.texts(running[index + 1]) {
        lines.append("       in progress: \(Self.reported(running[index + 1]))")
      }
    }
    return lines
  }

  private func heading(_ property: ExploredProperty<State>) -> String {
    let moves = steps.isEmpty ? "at first" : "after \(steps.count) move\(steps.count == 1 ? "" : "s")"
    return switch property.kind {
    case .always, .never: "\(property.text) does not hold \(moves):"
    case .alwaysReachable: "\(property.text) cannot be reached any more \(moves):"
    case .eventually: "\(property.text) is never reached, however long it goes on:"
    }
  }

  private static func texts(_ running: RunningRequests) -> [String] {
    running.all.map { Spelling.text(of: $0) }
  }

  private static func reported(_ running: RunningRequests) -> String {
    running.isEmpty ? "nothing" : running.all.map { Spelling.abridged($0) }.joined(separator: ", ")
  }
}
