import Millrace
import MillraceFeature

/// An effect in its place as a machine of numbered decisions: what is asked for, what runs and what has finished. Without
/// the types of the effect, so that no type is looked up in each move.
final class EffectModel {
  private struct Decision {
    /// The number of the set of requests that is asked for.
    let asked: Int32
    let runs: [ModelledRun]
    /// The next decision, by the set that was asked for then.
    var following: [Int32: Int32] = [:]
    /// The decisions when a run had shown at which of its values it was.
    var reported: [RunReport: Int32] = [:]
  }

  /// Its index among the effects of the feature.
  let number: Int32
  let connection: ConnectionIdentity
  let decider: any EffectDecider
  private let keepsDecisions: Bool
  private var decisions: [Decision] = []

  init(_ decider: any EffectDecider, number: Int32, keepsDecisions: Bool) {
    (self.decider, self.number, connection) = (decider, number, decider.connection)
    self.keepsDecisions = keepsDecisions
    complete()
  }

  /// The decision in the state that is looked at, after another decision.
  func next(after number: Int32) -> Int32 {
    let former = decisions[Int(number)].asked
    let asked = decider.asked(likely: former)
    if asked == former { return number }
    if keepsDecisions, let known = decisions[Int(number)].following[asked] { return known }
    let next = decider.decide(asking: asked, after: number)
    complete()
    decisions[Int(number)].following[asked] = next
    return next
  }

  /// The decision when a run has shown at which of its values it is.
  func reported(_ report: RunReport, from number: Int32) -> Int32 {
    if keepsDecisions, let known = decisions[Int(number)].reported[report] { return known }
    let next = decider.reported(report, from: number)
    complete()
    decisions[Int(number)].reported[report] = next
    return next
  }

  /// Takes over what was decided for the first time.
  private func complete() {
    while decisions.count < decider.count {
      let (asked, runs) = decider.decision(Int32(decisions.count))
      decisions.append(Decision(asked: asked, runs: runs))
    }
  }

  // MARK: Looking

  func runs(in decision: Int32) -> [ModelledRun] { decisions[Int(decision)].runs }
}

/// One of the decisions of an effect, in the value of its feature.
struct NumberedEffect: FeatureEffect {
  let model: EffectModel
  let number: Int32

  var connection: ConnectionIdentity { model.connection }

  func sliceChanged(_ turn: inout FeatureTurn) -> NumberedEffect? {
    let next = model.next(after: number)
    return next == number ? nil : NumberedEffect(model: model, number: next)
  }

  func ended(_ turn: inout FeatureTurn) -> NumberedEffect { NumberedEffect(model: model, number: 0) }
  func runReturned(_ generation: UInt64, leavingValue: Bool, _ turn: inout FeatureTurn) {}
  func snapshotTakenUp(_ turn: inout FeatureTurn) {}
}

/// Tells a run in progress from all others of its feature: the effect, and the number of the request that it began with.
struct RunKey: Hashable {
  let effect: Int32
  let request: Int32
}

/// A run in progress.
final class ModelledRun {
  let key: RunKey
  /// Leads to its effect from the feature.
  let path: [Int]
  let connection: ConnectionIdentity
  /// The ids of the parts of the state to which its effect belongs, outermost first.
  let parts: [AnyHashable]
  /// The request that it began with.
  let begun: any Hashable & Sendable
  /// The values of its request at which it may be: older ones, if it may not have taken the newest one, and that one.
  let values: [RunValue]
  let newest: RunValue

  /// The newest value of its request.
  var request: any Hashable & Sendable { newest.request }

  init(
    _ key: RunKey, of effect: some WiredEffect, path: [Int], begun: any Hashable & Sendable,
    values: [RunValue]
  ) {
    (self.key, self.path, self.begun, self.values) = (key, path, begun, values)
    newest = values[values.count - 1]
    (connection, parts) = (effect.connection, effect.parts)
  }
}

/// A value of the request of a run at which it may be.
struct RunValue {
  var number: Int32
  let request: any Hashable & Sendable
  /// Whether a newer value waits for the run. One that equals this may.
  let isOld: Bool
}

/// A run has shown at which of its values it is.
struct RunReport: Hashable {
  /// The numbers of the request that it began with, and of the value.
  let run: Int32
  let value: Int32
  let isOld: Bool
  let returns: Bool
}
