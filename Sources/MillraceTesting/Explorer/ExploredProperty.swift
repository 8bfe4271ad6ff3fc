import Millrace

/// Something that an exploration checks.
struct ExploredProperty<State>: Sendable {
  enum Kind: Sendable {
    /// Holds in every state.
    case always
    /// Holds in no state.
    case never
    /// From every state one can be reached in which it holds.
    case eventually
    /// Without the user, the program does not go on for ever without a state in which it holds.
    case inevitably

    /// Whether states alone do not show whether it holds.
    var looksAtWays: Bool { self == .eventually || self == .inevitably }
  }

  let kind: Kind
  let name: String
  let site: CallSite
  /// Whether it looks at what runs.
  let looksAtRuns: Bool
  let holds: @Sendable (State, RunningRequests) -> Bool

  /// How it is written where it is stated: `always("no spinner without a request")`.
  var text: String {
    let method =
      switch kind {
      case .always: "always"
      case .never: "never"
      case .eventually: "eventually"
      case .inevitably: "inevitably"
      }
    return "\(method)(\"\(name)\")"
  }

  /// Whether a state alone shows that it does not hold.
  func isViolated(by state: State, _ running: RunningRequests) -> Bool {
    switch kind {
    case .always: !holds(state, running)
    case .never: holds(state, running)
    case .eventually, .inevitably: false
    }
  }
}
