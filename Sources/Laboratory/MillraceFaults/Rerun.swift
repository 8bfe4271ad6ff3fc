/// The difference between a rerun and the test itself: the requests that go wrong, or the point at which the program
/// restarts. Pure.
struct Rerun: Sendable {
  /// Makes the error of a failing request; `nil` for requests of another type.
  typealias FailureOf = @Sendable (any Hashable & Sendable) -> (any Error)?

  var faults: [FaultTarget: RequestFault] = [:]
  var failures: [FailureOf] = []
  /// The point at which the program ends and begins again.
  var crash: CrashPlan?
  var bound = RerunBound()

  /// The fault of a request.
  func fault(of request: AnsweredRequest) -> RequestFault? {
    faults[FaultTarget(request)] ?? faults[FaultTarget(allOf: request.kind)]
  }

  func error(for request: any Hashable & Sendable) -> (any Error)? {
    failures.lazy.compactMap { $0(request) }.first
  }
}

/// A bound of the work of a rerun, so that a loop which waits until nothing is in progress ends. Pure.
struct RerunBound: Sendable {
  /// The work of a step. A look at the requests in progress counts as 1.
  static let step = 1000
  private(set) var most = Int.max
  private(set) var done = 0

  /// The bound for reruns of a test that has done this much work.
  var ofReruns: RerunBound { RerunBound(most: 100 * Self.step + 10 * done) }

  /// - Returns: whether the bound was just exceeded.
  mutating func did(_ work: Int) -> Bool {
    defer { done += work }
    return done <= most && done + work > most
  }

  var isExceeded: Bool { done > most }
  /// Whether the test continues for ever, although its answers are given and it sees nothing in progress.
  var isHopeless: Bool { done / 2 > most }
}
