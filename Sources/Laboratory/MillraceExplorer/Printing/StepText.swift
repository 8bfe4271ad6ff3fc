import MillraceSpelling

/// A move in words.
struct StepText {
  /// A move for a story. Large values are abridged, so the texts of two moves may be equal.
  static func reported<Action>(_ step: ExploredStep<Action>) -> String {
    StepText { Spelling.abridged($0) }.text(of: step)
  }

  /// The whole move. No other move has this text.
  static func text<Action>(of step: ExploredStep<Action>) -> String {
    StepText { Spelling.text(of: $0) }.text(of: step)
  }

  private let spelled: (Any) -> String

  private func text<Action>(of step: ExploredStep<Action>) -> String {
    switch step {
    case .action(let action): "the user sends \(spelled(action))"
    case .component(let name, let action): "\(name) sends \(spelled(action))"
    case .outcome(let outcome): text(of: outcome)
    case .closure(let name, let action): "\(name) sends \(spelled(action)) as it connects"
    case .restart: "the program ends and begins again"
    case .time(let time): "\(time) pass"
    }
  }

  /// The outcome in words: `SearchEffect "a" fails with Offline()`.
  private func text(of outcome: ExploredOutcome) -> String {
    let ids = outcome.parts.map { spelled($0.base) }.joined(separator: ", ")
    let run = "\(outcome.effect) \(spelled(outcome.request))\(ids.isEmpty ? "" : " in \(ids)")"
    guard let passed = outcome.passed else { return "\(run) \(step(of: outcome))" }
    return "\(passed == .zero ? "at the same time" : "after \(passed)"), \(run) \(step(of: outcome))"
  }

  private func step(of outcome: ExploredOutcome) -> String {
    let actions = outcome.actions
    let sent = actions.map(spelled).joined(separator: ", ")
    let left = outcome.leavesValue ? ", and has not taken the value that was handed over to it" : ""
    if let failure = outcome.failure {
      let failed = "fails with \(spelled(failure))"
      if !outcome.isRepeated { return failed + left }
      return failed + (actions.isEmpty ? "" : ", sends \(sent)") + " and is going to be served again"
    }
    if outcome.isRepeated {
      return (actions.isEmpty ? "returns" : "answers \(sent)") + " and is going to be served again"
    }
    if outcome.continues { return actions.isEmpty ? "begins to be served" : "sends \(sent)" }
    return (actions.isEmpty ? "returns without an answer" : "answers \(sent)") + left
  }
}
