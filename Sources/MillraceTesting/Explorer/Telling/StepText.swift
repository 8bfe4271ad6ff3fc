import Millrace
import MillraceSpelling

/// A move in words.
enum StepText {
  static func text<Action>(of step: ExploredStep<Action>) -> String {
    switch step {
    case .action(let action): "the user sends \(Spelling.text(of: action))"
    case .component(let name, let action): "\(name) sends \(Spelling.text(of: action))"
    case .outcome(let outcome): outcome.text
    case .closure(let name, let action): "\(name) sends \(Spelling.text(of: action)) as it connects"
    case .restart: "the program ends and begins again"
    case .time(let time): "\(time) pass"
    }
  }
}

extension ExploredOutcome {
  /// The outcome in words: `SearchEffect "a" fails with Offline()`.
  fileprivate var text: String {
    let parts = parts.isEmpty ? "" : " in \(parts.map { Spelling.text(of: $0.base) }.joined(separator: ", "))"
    let run = "\(effect) \(Spelling.text(of: request))\(parts)"
    if let passed { return "\(passed == .zero ? "at the same time" : "after \(passed)"), \(run) \(deed)" }
    return "\(run) \(deed)"
  }

  private var deed: String {
    let sent = actions.map { Spelling.text(of: $0) }.joined(separator: ", ")
    if let failure {
      let failed = "fails with \(Spelling.text(of: failure))"
      if !isRepeated { return failed + left }
      return failed + (actions.isEmpty ? "" : ", sends \(sent)") + " and is going to be served again"
    }
    if isRepeated {
      return (actions.isEmpty ? "returns" : "answers \(sent)") + " and is going to be served again"
    }
    if goesOn { return actions.isEmpty ? "begins to be served" : "sends \(sent)" }
    return (actions.isEmpty ? "returns without an answer" : "answers \(sent)") + left
  }

  private var left: String { leavesValue ? ", and has not taken the value that was handed over to it" : "" }
}
