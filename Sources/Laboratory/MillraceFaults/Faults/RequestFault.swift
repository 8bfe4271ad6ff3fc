/// A fault of a request that a test answers.
enum RequestFault: Sendable, Hashable {
  /// The run throws after a number of actions.
  case fails(after: Int)
  /// The run sends nothing after a number of actions, and never returns unless it is stopped.
  case fallsSilent(after: Int)
  /// The run sends its actions after the state no longer asks for the request, or else at the end of the test.
  case answersLate
  /// The run sends its actions twice.
  case answersTwice

  /// The faults that strike a request as a whole.
  static let whole: [RequestFault] = [
    .fails(after: 0), .fallsSilent(after: 0), .answersLate, .answersTwice,
  ]

  /// The faults that strike a run after one of the actions that it sends.
  static func halfway(of actions: Int) -> [RequestFault] {
    (0..<actions).flatMap { [.fails(after: $0 + 1), .fallsSilent(after: $0 + 1)] }
  }

  var isFailure: Bool { if case .fails = self { true } else { false } }

  var text: String {
    switch self {
    case .fails(0): "fails"
    case .fails(let count): "fails after \(Self.text(of: count))"
    case .fallsSilent(0): "never answers"
    case .fallsSilent(let count): "falls silent after \(Self.text(of: count))"
    case .answersLate: "answers late"
    case .answersTwice: "answers twice"
    }
  }

  private static func text(of count: Int) -> String { "\(count) action\(count == 1 ? "" : "s")" }
}

/// The requests of one effect that are of one type and, in an enum, of one case.
struct RequestKind: Hashable, Sendable {
  let effect: String
  let request: String

  var text: String { "\(effect) (\(request))" }
}

/// The requests that a fault strikes: one, or all of a kind.
struct FaultTarget: Hashable, Sendable {
  let kind: RequestKind
  /// The only request that is struck; `nil` if all of the kind are.
  private let request: AnsweredRequest?

  init(allOf kind: RequestKind) { (self.kind, request) = (kind, nil) }
  init(_ request: AnsweredRequest) { (kind, self.request) = (request.kind, request) }

  var text: String { request?.text ?? kind.text }

  /// Whether no request is struck by both faults.
  func isApart(from other: FaultTarget) -> Bool {
    request != nil && other.request != nil ? request != other.request : kind != other.kind
  }
}
