import Millrace
import MillraceTesting

/// Something that an exploration checks.
struct ExploredProperty<State>: Sendable {
  enum Kind: String, Sendable {
    /// Holds in every state.
    case always
    /// Holds in no state.
    case never
    /// From every state one can be reached in which it holds.
    case alwaysReachable
    /// Without the user, the program does not go on for ever without a state in which it holds.
    case eventually

    /// Whether states alone do not show whether it holds.
    var looksAtWays: Bool { self == .alwaysReachable || self == .eventually }
  }

  let kind: Kind
  let name: String
  let site: CallSite
  /// The file in which it is stated.
  let path: String
  /// Whether it looks at what runs.
  let looksAtRuns: Bool
  let holds: @Sendable (State, RunningRequests) -> Bool

  /// How it is written where it is stated: `always("no spinner without a request")`.
  var text: String { "\(kind.rawValue)(\"\(name)\")" }

  /// Its closure as it is written there; `nil` where it is not written as a trailing closure.
  var source: PropertySource? { PropertySource(of: kind.rawValue, named: name, in: path, line: site.line) }

  /// Whether a state alone shows that it does not hold.
  func isViolated(by state: State, _ running: RunningRequests) -> Bool {
    switch kind {
    case .always: !holds(state, running)
    case .never: holds(state, running)
    case .alwaysReachable, .eventually: false
    }
  }
}
