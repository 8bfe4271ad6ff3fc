import Millrace

/// A counterexample in words: a line for each move, and what it changes.
struct StoryText<State: Sendable, Action: Sendable> {
  private let property: ExploredProperty<State>
  private let steps: [ExploredStep<Action>]
  private let states: [State]
  private let running: [RunningRequests]

  init(
    _ property: ExploredProperty<State>, _ steps: [ExploredStep<Action>], _ states: [State],
    _ running: [RunningRequests]
  ) {
    self.property = property
    self.steps = steps
    self.states = states
    self.running = running
  }

  var text: String {
    var lines = [heading, "", "  at first: \(ValueText(states[0]))"]
    if !running[0].isEmpty { lines.append("       in progress: \(Self.list(running[0]))") }
    for (index, step) in steps.enumerated() {
      lines.append("  \(index + 1). \(StepText.text(of: step))")
      lines += Difference(from: states[index], to: states[index + 1]).lines.map { "       \($0)" }
      let (before, after) = (Self.list(running[index]), Self.list(running[index + 1]))
      if before != after { lines.append("       in progress: \(after)") }
    }
    return lines.joined(separator: "\n")
  }

  private var heading: String {
    let moves = steps.isEmpty ? "at first" : "after \(steps.count) move\(steps.count == 1 ? "" : "s")"
    return switch property.kind {
    case .always, .never: "\(property.text) does not hold \(moves):"
    case .eventually: "\(property.text) cannot be reached any more \(moves):"
    }
  }

  private static func list(_ running: RunningRequests) -> String {
    running.isEmpty ? "nothing" : running.all.map { Spelling.text(of: $0) }.joined(separator: ", ")
  }
}
