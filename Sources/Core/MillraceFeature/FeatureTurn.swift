import Millrace

/// What a feature decides in one turn of a store, in order.
package struct FeatureTurn {
  /// The decisions of effects. Those of an explorer tell none: it compares what has become of them.
  package fileprivate(set) var decisions: [FeatureDecision] = []
  /// The actions that were dispatched, by the number of parts around them that began in this turn: a store connects what is
  /// within a part that begins after everything else.
  private var sent: [[SentAction]] = []
  /// How many parts around what is decided began in this turn.
  var begunParts = 0
  /// How many parts around what is decided end.
  var endedParts = 0

  package init() {}

  var hasSent: Bool { !sent.isEmpty }

  /// Moves out the decisions that were made since this was last called.
  package mutating func takeDecisions() -> [FeatureDecision] {
    defer { decisions = [] }
    return decisions
  }

  /// Moves out the actions that `connect` functions and lifetimes' closures have dispatched; `nil` if there are none.
  package mutating func takeSent() -> [SentAction]? {
    if sent.isEmpty { return nil }
    defer { sent = [] }
    return sent.flatMap(\.self)
  }

  /// A closure that is called dispatches actions.
  mutating func send(_ actions: [SentAction]) {
    if actions.isEmpty { return }
    while sent.count <= begunParts { sent.append([]) }
    sent[begunParts] += actions
  }

  mutating func decides(
    _ step: RunStep, _ run: FeatureRun, of connection: ConnectionIdentity, _ request: any Hashable & Sendable
  ) {
    decisions.append(
      FeatureDecision(
        step: step, run: run, connection: connection, request: request, endsPart: endedParts > 0))
  }
}

/// What a store does with a run of an effect of a feature.
package struct FeatureDecision {
  package let step: RunStep
  package let run: FeatureRun
  package let connection: ConnectionIdentity
  /// The newest value of the run's request.
  package let request: any Hashable & Sendable
  /// Whether its part of the state has ended, which is torn down little by little.
  package let endsPart: Bool
}

/// Tells a run from all others of a feature.
package struct FeatureRun: Hashable {
  /// Leads to its effect.
  package let place: [Int]
  package let generation: UInt64
}

/// An action that a `connect` function or a lifetime's closure has dispatched.
package struct SentAction {
  package let action: any Sendable
  /// The number of the part that was connected.
  package let part: Int
  /// The name of the lifetime's connection, or `"connect"`.
  package let name: String
}
