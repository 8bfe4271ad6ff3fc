import Millrace
import MillraceEffects
import MillraceFeature
import MillraceSpelling

/// An effect in its place as a machine of numbered decisions: what is asked for, what runs and what has finished. Decision 0
/// is that nothing is asked for and nothing runs.
protocol EffectModel: AnyObject {
  /// Its index among the effects of the feature.
  var number: Int32 { get }
  var connection: ConnectionIdentity { get }
  var actionType: Any.Type { get }
  var failureType: Any.Type { get }
  /// The decision in the state that is looked at, after another decision.
  func next(after number: Int32) -> Int32
  /// The decision when a run has shown at which of its values it is.
  func reported(_ report: RunReport, from number: Int32) -> Int32
  func runs(in decision: Int32) -> [ModelledRun]
  /// A run of a request at its beginning; `nil` for an effect whose runs do nothing by themselves.
  func course(of request: any Hashable & Sendable) -> (any RunCourse)?
  /// The store's action that an action of the effect's becomes; `nil` if it is of another type.
  func storeAction(of action: any Sendable) -> (any Sendable)?
  /// The store's action that a failure becomes; `nil` if it is of another type.
  func storeAction(ofFailure failure: any Error, of request: any Hashable & Sendable) -> (any Sendable)?
  /// The effect's action that becomes an action of the store's; `nil` if it is not found in it.
  func ownAction(of storeAction: any Sendable) -> (any Sendable)?
  /// The error that becomes an action of the store's; `nil` if it is not found in it.
  func ownFailure(of storeAction: any Sendable, of request: any Hashable & Sendable) -> (any Error)?
}

/// Decides by ``EffectRuns``. A stopped run returns at once, since nothing that it sends counts.
final class WiredEffectModel<Wired: WiredEffect>: EffectModel {
  private typealias Effect = Wired.Effect
  private typealias Request = Wired.Effect.Request
  private typealias Runs = EffectRuns<Wired.Effect>

  /// Tells decisions apart: the older values of each run, by the request that it began with. Its newest value follows from
  /// what is asked for.
  private struct Contents: Hashable {
    let asked: Int32
    let runs: [Request: Set<Request>]
  }

  let number: Int32
  let connection: ConnectionIdentity
  private let path: [Int]
  private let notes: ModelNotes
  private let keepsDecisions: Bool
  /// The decisions that were met, by number, and their runs.
  private var decisions: [NumberedDecision] = []
  private var runs: [Runs] = []
  private var numbers: [Contents: Int32] = [:]
  /// The requests met so far, by number. A request is hashed once each time it is asked for; sets compare by number.
  private var requests: [Request] = []
  private var requestNumbers: [Request: Int32] = [:]
  /// The sets of requests that were met, sorted by number.
  private var sets: [[Int32]] = []
  private var setNumbers: [[Int32]: Int32] = [:]
  /// The number of the set of one request alone, by the number of the request; -1 if it was not met.
  private var setsOfOne: [Int32] = []
  private let wired: Wired

  init(_ wired: Wired, number: Int32, path: [Int], _ notes: ModelNotes, keepsDecisions: Bool) {
    (self.wired, self.number, self.path, self.notes) = (wired, number, path, notes)
    (connection, self.keepsDecisions) = (wired.connection, keepsDecisions)
    _ = self.number(of: setNumber([]), Runs(wired.effect))
  }

  var actionType: Any.Type { Effect.Action.self }
  var failureType: Any.Type { Effect.Failure.self }

  // MARK: Deciding

  func next(after number: Int32) -> Int32 {
    let former = decisions[Int(number)].asked
    let asked = asked(likely: former)
    if asked == former { return number }
    if keepsDecisions, let known = decisions[Int(number)].following[asked] { return known }
    let next = decide(asking: asked, after: number)
    decisions[Int(number)].following[asked] = next
    return next
  }

  /// The number of the set of requests of the state that is looked at.
  ///
  /// - Parameter former: the number of the set that it most likely is.
  private func asked(likely former: Int32) -> Int32 {
    let asked = wired.requests()
    if asked.isEmpty { return 0 }
    let members = sets[Int(former)]
    if members.count == asked.count, members.allSatisfy({ asked.contains(requests[Int($0)]) }) {
      return former
    }
    if asked.count > 1 { return setNumber(asked.map(requestNumber).sorted()) }
    let only = requestNumber(asked[asked.startIndex])
    if setsOfOne[Int(only)] < 0 { setsOfOne[Int(only)] = setNumber([only]) }
    return setsOfOne[Int(only)]
  }

  private func setNumber(_ requests: [Int32]) -> Int32 {
    if let number = setNumbers[requests] { return number }
    let number = Int32(sets.count)
    sets.append(requests)
    setNumbers[requests] = number
    return number
  }

  private func requestNumber(_ request: Request) -> Int32 {
    if let number = requestNumbers[request] { return number }
    let number = Int32(requests.count)
    requests.append(request)
    requestNumbers[request] = number
    setsOfOne.append(-1)
    return number
  }

  private func decide(asking asked: Int32, after number: Int32) -> Int32 {
    let effect = wired.effect
    var asking = sets[Int(asked)].map { requests[Int($0)] }
    if Set(asking.map(effect.id)).count < asking.count { asking = sorted(asking, by: \.self) }
    var runs = runs[Int(number)]
    for case .clashes(let first, let second) in runs.requestsChanged(to: asking) {
      notes.add(
        "\(connection.name) asks for two requests of one identity: "
          + "\(Spelling.text(of: first)) and \(Spelling.text(of: second))")
    }
    _ = runs.stoppedRunsReturned()
    return self.number(of: asked, runs)
  }

  func reported(_ report: RunReport, from number: Int32) -> Int32 {
    var runs = runs[Int(number)]
    guard let run = runs.live.first(where: { requestNumbers[$0.begun] == report.run }) else { return number }
    let value = requests[Int(report.value)]
    if report.returns {
      // A value that the last action of the run has led to is left, too.
      _ = runs.runReturned(run.generation, leavingValue: report.isOld || run.newest != value)
    } else {
      runs.runReported(run.generation, at: value, isOld: report.isOld)
    }
    return self.number(of: decisions[Int(number)].asked, runs)
  }

  private func number(of asked: Int32, _ runs: Runs) -> Int32 {
    let live = runs.live
    let contents = Contents(
      asked: asked, runs: Dictionary(uniqueKeysWithValues: live.map { ($0.begun, $0.older) }))
    if let number = numbers[contents] { return number }
    // In an order that does not vary from one process to the next, as that of a set does.
    let modelled = sorted(live, by: \.newest).map { run in
      let older = sorted(Array(run.older), by: \.self)
      return ModelledRun(
        RunKey(effect: self.number, request: requestNumber(run.begun)), of: wired, path: path,
        begun: run.begun,
        values: older.map { RunValue(number: requestNumber($0), request: $0, isOld: true) }
          + [RunValue(number: requestNumber(run.newest), request: run.newest, isOld: false)])
    }
    let number = Int32(decisions.count)
    decisions.append(NumberedDecision(asked: asked, runs: modelled))
    self.runs.append(runs)
    numbers[contents] = number
    return number
  }

  private func sorted<Element>(_ elements: [Element], by request: (Element) -> Request) -> [Element] {
    elements.map { ($0, Spelling.text(of: request($0))) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  // MARK: Looking

  func runs(in decision: Int32) -> [ModelledRun] { decisions[Int(decision)].runs }

  func course(of request: any Hashable & Sendable) -> (any RunCourse)? {
    (wired.effect as? any TimedEffect)?.erasedCourse(of: request)
  }

  func storeAction(of action: any Sendable) -> (any Sendable)? {
    (action as? Effect.Action).map { wired.storeAction(of: $0) }
  }

  func storeAction(ofFailure failure: any Error, of request: any Hashable & Sendable) -> (any Sendable)? {
    guard let failure = failure as? Effect.Failure, let request = request as? Request else { return nil }
    return wired.storeAction(of: wired.effect.action(for: failure, of: request))
  }

  func ownAction(of storeAction: any Sendable) -> (any Sendable)? {
    let text = Spelling.text(of: storeAction)
    return OwnAction.value(of: Effect.Action.self, within: storeAction) {
      Spelling.text(of: wired.storeAction(of: $0)) == text
    }
  }

  func ownFailure(of storeAction: any Sendable, of request: any Hashable & Sendable) -> (any Error)? {
    let text = Spelling.text(of: storeAction)
    return OwnAction.value(of: Effect.Failure.self, within: storeAction) {
      self.storeAction(ofFailure: $0, of: request).map { Spelling.text(of: $0) } == text
    }
  }
}

/// A decision of an effect, without its types, so that no type is looked up in each move.
private struct NumberedDecision {
  /// The number of the set of requests that is asked for.
  let asked: Int32
  let runs: [ModelledRun]
  /// The next decision, by the set that was asked for then.
  var following: [Int32: Int32] = [:]
}

/// One of the decisions of an effect, in the value of its feature.
struct NumberedEffect: FeatureEffect {
  let model: any EffectModel
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
