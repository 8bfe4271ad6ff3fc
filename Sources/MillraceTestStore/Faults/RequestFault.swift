import Millrace

/// What can go wrong with a request that a test answers.
enum RequestFault: String, Sendable, Hashable, CaseIterable {
  /// The run throws.
  case fails
  /// The run never sends anything and never returns, unless it is stopped.
  case neverAnswers
  /// The run sends what it should after the state no longer asks for it, or else at the end of the test.
  case answersLate
  /// The run sends what it should twice.
  case answersTwice

  var text: String {
    switch self {
    case .fails: "fails"
    case .neverAnswers: "never answers"
    case .answersLate: "answers late"
    case .answersTwice: "answers twice"
    }
  }
}

/// The requests of one effect that are of one type and, in an enum, of one case.
struct RequestKind: Hashable {
  let effect: String
  let request: String

  init(_ run: HeldRun) {
    effect = run.identity.name
    request = Spelling.kind(of: run.request)
  }

  var text: String { "\(effect) (\(request))" }
}
