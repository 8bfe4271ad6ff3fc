import Millrace

/// How a rerun of a test differs from the test itself: which requests go wrong, or where the program ends and begins
/// again. Pure.
struct Rerun: Sendable {
  /// Makes the error that a request fails with; `nil` for requests of another type.
  typealias FailureOf = @Sendable (any Hashable & Sendable) -> (any Error)?

  var faults: [FaultTarget: RequestFault] = [:]
  var failures: [FailureOf] = []
  /// The point at which the program ends and begins again.
  var crash: CrashPlan?

  /// The fault of a request.
  func fault(of request: AnsweredRequest) -> RequestFault? {
    faults[.one(request)] ?? faults[.all(request.kind)]
  }

  func error(for request: any Hashable & Sendable) -> (any Error)? {
    for failure in failures { if let error = failure(request) { return error } }
    return nil
  }
}

/// The answer of a test for a run: its actions, and how it goes on.
struct RunAnswer: Sendable {
  let actions: [any Sendable]
  let end: RunEnd
  let site: CallSite
}

/// Why an answer of a test could not be given.
enum AnswerProblem {
  case actionOfAnotherType(any Sendable)
  case errorOfAnotherType(any Error)
  /// An earlier action of the run has stopped it.
  case tooLate(any Sendable)
}
