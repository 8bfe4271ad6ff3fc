import Millrace
import MillraceEffects

/// An effect in its place as a machine of numbered decisions: what is asked for, what runs and what has finished. Without
/// the types of the effect, so that no type is looked up in each move.
final class EffectModel: DecidingModel {
  private struct Decision {
    /// The number of the set of requests that is asked for.
    let asked: Int32
    let runs: [ModelledRun]
    /// The next decision, by the set that was asked for then.
    var following: [Int32: Int32] = [:]
    /// The decisions when a run had returned, and when it had left a value.
    var returned: [Int32: Int32] = [:]
    var left: [Int32: Int32] = [:]
  }

  /// Its index among the effects of the feature.
  let number: Int32
  let connection: ConnectionIdentity
  let actionType: Any.Type
  let failureType: Any.Type
  private let decider: any EffectDecider
  private var decisions: [Decision] = []

  init(_ decider: any EffectDecider, number: Int32) {
    (self.decider, self.number, connection) = (decider, number, decider.connection)
    (actionType, failureType) = (decider.actionType, decider.failureType)
    complete()
  }

  func connected() -> Int32 { next(after: 0) }

  func next(after number: Int32) -> Int32 {
    let former = decisions[Int(number)].asked
    let asked = decider.asked(likely: former)
    if asked == former { return number }
    if let known = decisions[Int(number)].following[asked] { return known }
    let next = decider.decide(asking: asked, after: number)
    complete()
    decisions[Int(number)].following[asked] = next
    return next
  }

  /// The decision when the run that began with a request has returned.
  ///
  /// - Parameter leavesValue: whether it has left the newest value that was handed over to it.
  func returned(_ request: Int32, leavingValue leavesValue: Bool, from number: Int32) -> Int32 {
    let decision = decisions[Int(number)]
    if let known = leavesValue ? decision.left[request] : decision.returned[request] { return known }
    let next = decider.returned(request, leavingValue: leavesValue, from: number)
    complete()
    if leavesValue {
      decisions[Int(number)].left[request] = next
    } else {
      decisions[Int(number)].returned[request] = next
    }
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

  func changing(_ path: ArraySlice<Int>, in decision: Int32, _ change: (Int32) -> Int32) -> Int32 {
    change(decision)
  }

  func forEachRun(in decision: Int32, _ body: (ModelledRun) -> Void) {
    for run in decisions[Int(decision)].runs { body(run) }
  }

  func forEachPart(in decision: Int32, _ body: (PartModel) -> Void) {}

  /// A run of a request at its beginning; `nil` for an effect whose runs do nothing by themselves.
  func course(of request: any Hashable & Sendable) -> (any RunCourse)? { decider.course(of: request) }

  /// The store's action that an action of the effect's becomes; `nil` if it is of another type.
  func storeAction(of action: any Sendable) -> (any Sendable)? { decider.storeAction(of: action) }

  /// The store's action that a failure becomes; `nil` if it is of another type.
  func storeAction(ofFailure failure: any Error, of request: any Hashable & Sendable) -> (any Sendable)? {
    decider.storeAction(ofFailure: failure, of: request)
  }

  /// The effect's action that becomes an action of the store's; `nil` if it is not found in it.
  func ownAction(of storeAction: any Sendable) -> (any Sendable)? { decider.ownAction(of: storeAction) }

  /// The error that becomes an action of the store's; `nil` if it is not found in it.
  func ownFailure(of storeAction: any Sendable, of request: any Hashable & Sendable) -> (any Error)? {
    decider.ownFailure(of: storeAction, of: request)
  }
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
  /// The newest value of its request.
  let request: any Hashable & Sendable
  /// Whether that was handed over to it.
  let isHandedOver: Bool

  init<Request: Hashable & Sendable>(
    _ key: RunKey, of effect: some WiredEffect, path: [Int], begun: Request, request: Request
  ) {
    (self.key, self.path, self.begun, self.request) = (key, path, begun, request)
    isHandedOver = begun != request
    (connection, parts) = (effect.connection, effect.parts)
  }
}
