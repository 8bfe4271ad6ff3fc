import Millrace

/// The decisions of a feature in one turn of a store, in order.
package struct FeatureTurn {
  /// The decisions of effects. An explorer's effects report none, since the explorer compares their values.
  package internal(set) var decisions: [FeatureDecision] = []
  /// The dispatched actions, by the number of enclosing parts that began in this turn. A store makes the connections
  /// within a new part after everything else, so deeper actions come later.
  private var sent: [[SentAction]] = []
  /// The number of enclosing parts that began in this turn.
  var begunParts = 0
  /// The number of enclosing parts that end.
  var endedParts = 0

  package init() {}

  var hasSent: Bool { !sent.isEmpty }

  /// Returns and removes the decisions since the last call.
  package mutating func takeDecisions() -> [FeatureDecision] {
    defer { decisions = [] }
    return decisions
  }

  /// Returns and removes the actions that `connect` functions and lifetimes' closures have dispatched.
  package mutating func takeSent() -> [SentAction] {
    if sent.isEmpty { return [] }
    defer { sent = [] }
    return sent.flatMap(\.self)
  }

  /// A called closure dispatches actions.
  mutating func send(_ actions: [SentAction]) {
    if actions.isEmpty { return }
    while sent.count <= begunParts { sent.append([]) }
    sent[begunParts] += actions
  }

}

/// A decision of a store about a run of a feature.
package struct FeatureDecision {
  package let step: RunTransition
  package let run: FeatureRun
  package let connection: ConnectionIdentity
  /// The newest value of the run's request.
  package let request: any Hashable & Sendable
  /// Whether the run's part of the state has ended. Ended parts are torn down gradually.
  package let endsPart: Bool
}

/// The identity of a run within a feature.
package struct FeatureRun: Hashable {
  /// The path to the run's effect.
  package let place: [Int]
  package let generation: UInt64
}

/// An action that a `connect` function or a lifetime's closure has dispatched.
package struct SentAction {
  package let action: any Sendable
  /// The number of the part whose closure dispatched the action.
  package let part: Int
  /// The name of the lifetime's connection, or `"connect"`.
  package let name: String
}
