import Millrace

/// A move in words.
enum StepText {
  static func text<Action>(of step: ExploredStep<Action>) -> String {
    switch step {
    case .action(let action): "the user sends \(Spelling.text(of: action))"
    case .outcome(let outcome): outcome.text
    case .restart: "the program ends and begins again"
    }
  }
}

extension ExploredOutcome {
  /// The outcome in words: `SearchEffect "a" fails with Offline()`.
  fileprivate var text: String {
    let parts = parts.isEmpty ? "" : " in \(parts.map { Spelling.text(of: $0.base) }.joined(separator: ", "))"
    let run = "\(wasStopped ? "the stopped run of " : "")\(effect) \(Spelling.text(of: request))\(parts)"
    if let failure { return "\(run) fails with \(Spelling.text(of: failure))" }
    let sent = actions.map { Spelling.text(of: $0) }.joined(separator: ", ")
    if goesOn { return "\(run) sends \(sent)" }
    return actions.isEmpty ? "\(run) returns without an answer" : "\(run) answers \(sent)"
  }
}
