import Millrace
import MillraceEffects
import MillraceFeature
import MillraceSpelling

/// A connected effect as a machine of numbered decisions. A decision says which requests are asked for, which run and
/// which have finished. In decision 0 nothing is asked for and nothing runs.
protocol EffectModel: AnyObject {
  /// Its index among the effects of the feature.
  var number: Int32 { get }
  var connection: ConnectionIdentity { get }
  var actionType: Any.Type { get }
  var failureType: Any.Type { get }
  /// The decision after another one, in the state that the model looks at.
  func next(after number: Int32) -> Int32
  /// The decision after a run has reported which of its values it serves.
  func reported(_ report: RunReport, from number: Int32) -> Int32
  func runs(in decision: Int32) -> [ModelledRun]
  /// The model of a run's own progress at its beginning; `nil` for an effect whose runs do nothing by themselves.
  func course(of request: any Hashable & Sendable) -> (any RunCourse)?
  /// The store's action for an action of the effect; `nil` if that is of another type.
  func storeAction(of action: any Sendable) -> (any Sendable)?
  /// The store's action for a failure; `nil` if that is of another type.
  func storeAction(ofFailure failure: any Error, of request: any Hashable & Sendable) -> (any Sendable)?
  /// The effect's action that is mapped to an action of the store; `nil` if there is none.
  func ownAction(of storeAction: any Sendable) -> (any Sendable)?
  /// The error that is mapped to an action of the store; `nil` if there is none.
  func ownFailure(of storeAction: any Sendable, of request: any Hashable & Sendable) -> (any Error)?
}

/// Decides by ``EffectRuns``. A stopped run returns at once, since the fence drops all that it sends.
final class WiredEffectModel<Wired: WiredEffect>: EffectModel {
  private typealias Effect = Wired.Effect
  private typealias Request = Wired.Effect.Request
  private typealias Runs = EffectRuns<Wired.Effect>

  /// Identifies a decision. `runs` has the older values of each run by its first request; `asked` implies the newest
  /// value.
  private struct Contents: Hashable {
    let asked: Int32
    let runs: [Request: Set<Request>]
  }

  let number: Int32
  let connection: ConnectionIdentity
  private let path: [Int]
  private let note: (String) -> Void
  private let keepsDecisions: Bool
  /// The decisions so far, by number, and their runs.
  private var decisions: [NumberedDecision] = []
  private var runs: [Runs] = []
  private var numbers: [Contents: Int32] = [:]
  /// The requests so far, by number. A request is hashed once each time it is asked for; sets compare by number.
  private var requests: [Request] = []
  private var requestNumbers: [Request: Int32] = [:]
  /// The sets of requests so far, each sorted by number.
  private var sets: [[Int32]] = []
  private var setNumbers: [[Int32]: Int32] = [:]
  /// For each request, the number of the set that contains it alone; -1 if there is none yet.
  private var setsOfOne: [Int32] = []
  private let wired: Wired

  init(
    _ wired: Wired, number: Int32, path: [Int], noting note: @escaping (String) -> Void, keepsDecisions: Bool
  ) {
    (self.wired, self.number, self.path, self.note) = (wired, number, path, note)
    (connection, self.keepsDecisions) = (wired.identity, keepsDecisions)
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

  /// The number of the set of requests of the state that the model looks at.
  ///
  /// - Parameter former: a guess: the number of the set before.
  private func asked(likely former: Int32) -> Int32 {
    let asked = wired.requestsOfState()
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
      note(
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
      // If the last action of the run has replaced the value, the run leaves that value, too.
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
    // Sorted, since the order of a set varies from one process to the next.
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

  // MARK: Lookups

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

/// A decision of an effect without generic types, so that a move looks up no type at run time.
private struct NumberedDecision {
  /// The number of the set of requests asked for.
  let asked: Int32
  let runs: [ModelledRun]
  /// The next decision, by the number of the set asked for next.
  var following: [Int32: Int32] = [:]
}

/// A decision of an effect, as a part of the feature value.
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
