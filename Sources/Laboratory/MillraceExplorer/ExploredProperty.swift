import Millrace
import MillraceTesting

/// A property that an exploration checks.
struct ExploredProperty<State>: Sendable {
  enum Kind: String, Sendable {
    /// Holds in every state.
    case always
    /// Holds in no state.
    case never
    /// From every state, moves lead to one in which it holds.
    case alwaysReachable
    /// Every fair, endless execution without moves of the user reaches a state in which it holds.
    case eventually

    /// Whether the property is one of paths, so that a single state cannot violate it.
    var looksAtWays: Bool { self == .alwaysReachable || self == .eventually }
  }

  let kind: Kind
  let name: String
  let site: CallSite
  /// The file in which the property is stated.
  let path: String
  /// Whether the property looks at the requests in progress.
  let looksAtRuns: Bool
  let holds: @Sendable (State, RunningRequests) -> Bool

  /// The property as the test states it: `always("no spinner without a request")`.
  var text: String { "\(kind.rawValue)(\"\(name)\")" }

  /// The source text of the property's closure; `nil` if it is no trailing closure.
  var source: PropertySource? { PropertySource(of: kind.rawValue, named: name, in: path, line: site.line) }

  /// Whether this state alone violates the property.
  func isViolated(by state: State, _ running: RunningRequests) -> Bool {
    switch kind {
    case .always: !holds(state, running)
    case .never: holds(state, running)
    case .alwaysReachable, .eventually: false
    }
  }
}
