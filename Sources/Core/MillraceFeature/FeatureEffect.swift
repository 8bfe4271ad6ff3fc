import Millrace

/// A connected effect in a ``FeaturePart``, as a value. Copies evolve independently.
package protocol FeatureEffect {
  var connection: ConnectionIdentity { get }
  /// Equal for two values of one effect with the same decisions; 0 if values are not compared.
  var number: Int32 { get }
  /// The effect's slice may have changed, or the effect was connected.
  ///
  /// - Returns: the new value; `nil` if it is unchanged.
  func sliceChanged(_ turn: inout FeatureTurn) -> Self?
  /// The effect's connection or its part of the state has ended.
  func ended(_ turn: inout FeatureTurn) -> Self
  /// The body of a run has returned.
  mutating func runReturned(_ generation: UInt64, leavingValue: Bool, _ turn: inout FeatureTurn)
  /// A recorded snapshot replaces the runs: the effect drops its runs and reports a start for each request of the
  /// state, whose run is in progress or has returned.
  mutating func snapshotTakenUp(_ turn: inout FeatureTurn)
}

/// An effect that decides by ``EffectRuns`` and reports each decision.
package struct EffectPlace<Wired: WiredEffect>: FeatureEffect {
  private let wired: Wired
  private let path: [Int]
  private var asked: Set<Wired.Effect.Request> = []
  private var runs: EffectRuns<Wired.Effect>

  package init(_ wired: Wired, path: [Int]) {
    (self.wired, self.path, runs) = (wired, path, EffectRuns(wired.effect))
  }

  package var connection: ConnectionIdentity { wired.identity }
  package var number: Int32 { 0 }

  package func sliceChanged(_ turn: inout FeatureTurn) -> EffectPlace? {
    let requests = wired.requestsOfState()
    return requests == asked ? nil : asking(requests, &turn)
  }

  package func ended(_ turn: inout FeatureTurn) -> EffectPlace { asking([], &turn) }

  package mutating func runReturned(_ generation: UInt64, leavingValue: Bool, _ turn: inout FeatureTurn) {
    if let next = runs.runReturned(generation, leavingValue: leavingValue) { tell(next, &turn) }
  }

  package mutating func snapshotTakenUp(_ turn: inout FeatureTurn) {
    (asked, runs) = ([], EffectRuns(wired.effect))
    self = asking(wired.requestsOfState(), &turn)
  }

  private func asking(_ requests: Set<Wired.Effect.Request>, _ turn: inout FeatureTurn) -> EffectPlace {
    var next = self
    next.asked = requests
    for decision in next.runs.requestsChanged(to: Array(requests)) { tell(decision, &turn) }
    return next
  }

  private func tell(_ decision: EffectRuns<Wired.Effect>.Decision, _ turn: inout FeatureTurn) {
    guard case .run(let step, let run) = decision else { return }
    turn.decisions.append(
      FeatureDecision(
        step: step, run: FeatureRun(place: path, generation: run.generation), connection: connection,
        request: run.newest, endsPart: turn.endedParts > 0))
  }
}
