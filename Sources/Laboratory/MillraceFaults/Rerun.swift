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
  var bound = RerunBound()

  /// The fault of a request.
  func fault(of request: AnsweredRequest) -> RequestFault? {
    faults[.one(request)] ?? faults[.all(request.kind)]
  }

  func error(for request: any Hashable & Sendable) -> (any Error)? {
    for failure in failures { if let error = failure(request) { return error } }
    return nil
  }
}

/// The bound of what a test does in a rerun, so that a loop until nothing is asked for ends. Pure.
struct RerunBound: Sendable {
  /// The work of a step; a look at what is in progress is 1.
  static let step = 1000
  private(set) var most = Int.max
  private(set) var done = 0

  /// The bound of the reruns of a test that has done this.
  var ofReruns: RerunBound { RerunBound(most: 100 * Self.step + 10 * done) }

  /// - Returns: whether the bound was just exceeded.
  mutating func did(_ work: Int) -> Bool {
    defer { done += work }
    return done <= most && done + work > most
  }

  var isExceeded: Bool { done > most }
  /// Whether the test goes on for ever, although its answers are given and nothing seems to be in progress.
  var isHopeless: Bool { done / 2 > most }
}
