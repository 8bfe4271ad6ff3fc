import MillraceTesting

/// Reports calls of one endpoint that has no implementation.
struct UnimplementedCall: Sendable {
  let endpoint: String
  let place: TestPlace
  let reporter = FailureReporter()

  func fail<each Argument, Result>(_ argument: repeat each Argument, returning result: Result) {
    var outcome = "returned"
    if Result.self != Void.self { outcome = "returned its placeholder \(ValueText(result))" }
    fail(repeat each argument, outcome: outcome)
  }

  func fail<each Argument>(_ argument: repeat each Argument, throwing error: any Error) {
    fail(repeat each argument, outcome: "threw \(ValueText(error))")
  }

  private func fail<each Argument>(_ argument: repeat each Argument, outcome: String) {
    var arguments: [String] = []
    for argument in repeat each argument { arguments.append(ValueText(argument).description) }
    reporter.fail(
      "\(endpoint) is not implemented in this test. It was called with (\(arguments.joined(separator: ", "))) and \(outcome).",
      at: place)
  }
}
