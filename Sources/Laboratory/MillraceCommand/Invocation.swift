import MillraceCoverage
import MillraceTrace

/// One call of the command.
struct Invocation {
  private let command: String
  private var arguments: [String] = []
  private var options: [String: String] = [:]
  private var flags: Set<String> = []

  private static let withValue: Set<String> = [
    "--grep", "--at", "--not", "--states", "-o", "--show", "--retry", "--dismiss", "--pause", "--resume",
  ]
  private static let allFlags: Set<String> = ["--json", "--once", "--mermaid", "--chrome", "--follow"]

  init(_ words: [String]) throws {
    command = words.first ?? "--help"
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      if Self.withValue.contains(word) {
        guard let value = rest.popFirst() else { throw CommandFailure(message: "\(word) needs a value") }
        guard options.updateValue(value, forKey: word) == nil else {
          throw CommandFailure(message: "\(word) is given twice")
        }
      } else if word.hasPrefix("--") {
        guard Self.allFlags.contains(word) else {
          throw CommandFailure(message: "'\(word)' is not an option\n\n\(Millrace.usage)")
        }
        flags.insert(word)
      } else {
        arguments.append(word)
      }
    }
  }

  /// - Returns: the exit code.
  func perform() throws -> Int32 {
    switch command {
    case "--help", "-h", "help":
      print(Millrace.usage)
      return 0
    case "coverage":
      print(try RequestCoverage(contentsOfFile: try file(of: 1)).report)
      return 0
    case "work": return try Work(paths: arguments, options: options, isJSON: flags.contains("--json")).run()
    case "inspect": return answer(try history(of: 1)) { $0.inspection(grep: options["--grep"]) }
    case "why": return try why()
    case "show":
      let (history, number) = (try history(of: 2), try number(arguments[1]))
      return answer(history) { $0.show(number) }
    case "diff":
      let (one, other) = (try history(of: 2), try TraceHistory(contentsOf: arguments[1]))
      return answer(one, also: other) { TraceComparison.compare($0, other) }
    case "graph":
      let history = try history(of: 1)
      let graph = TraceGraph(history)
      let format: TraceGraph.Format = flags.contains("--mermaid") ? .mermaid : .dot
      print(flags.contains("--json") ? graph.json.text : graph.text(format))
      return code(history)
    case "export":
      guard flags.contains("--chrome") else {
        throw CommandFailure(message: "export needs a format: --chrome")
      }
      let history = try history(of: 1)
      print(ChromeExport.text(of: history))
      return code(history)
    case "view" where flags.contains("--follow"):
      try View.follow(try file(of: 1))
    case "view":
      let history = try history(of: 1)
      let states = try options["--states"].map { try View.states(of: $0) }
      try View.write(history, states: states, to: options["-o"], name: arguments[0])
      return code(history)
    case "tail":
      return try Tail(
        path: try file(of: 1), isJSON: flags.contains("--json"), grep: options["--grep"],
        follows: !flags.contains("--once")
      ).run()
    default: throw CommandFailure(message: "'\(command)' is not a command\n\n\(Millrace.usage)")
    }
  }

  private func why() throws -> Int32 {
    if let text = options["--not"] {
      let at = try options["--at"].map { try number($0) }
      return answer(try history(of: 1)) { $0.whyNot(text, at: at.map { UInt64(max(0, $0)) }) }
    }
    let history = try history(of: 2)
    let word = arguments[1]
    if let number = Int64(word) { return answer(history) { $0.why(action: number) } }
    return answer(history) { $0.why(runsMatching: word) }
  }

  // MARK: Arguments

  private func file(of count: Int) throws -> String {
    guard arguments.count == count else {
      let wanted = "\(count) argument\(count == 1 ? "" : "s")"
      throw CommandFailure(
        message: "\(command) takes \(wanted), not \(arguments.count)\n\n\(Millrace.usage)")
    }
    return arguments[0]
  }

  private func history(of count: Int) throws -> TraceHistory {
    try TraceHistory(contentsOf: try file(of: count))
  }

  private func number(_ word: String) throws -> Int64 {
    guard let number = Int64(word) else {
      throw CommandFailure(message: "'\(word)' is no number of an action")
    }
    return number
  }

  // MARK: Answers

  private func answer(
    _ history: TraceHistory, also other: TraceHistory? = nil, _ make: (TraceHistory) -> TraceAnswer
  ) -> Int32 {
    let answer = make(history)
    print(flags.contains("--json") ? answer.json.text : Terminal.text(of: answer))
    let code = max(code(history), other.map(code) ?? 0)
    return code > 0 ? code : answer.isNegative ? 1 : 0
  }

  /// Reports problems of the file, and returns the exit code.
  private func code(_ history: TraceHistory) -> Int32 {
    let path = arguments[0]
    if let torn = history.text.tornLine {
      Terminal.warn(
        "\(path):\(torn): the last line is incomplete; the program was ended while it was written")
    }
    guard let damage = history.text.damage else { return 0 }
    Terminal.warn("\(path):\(damage.line): \(damage.problem); what follows is not read")
    return 3
  }
}
