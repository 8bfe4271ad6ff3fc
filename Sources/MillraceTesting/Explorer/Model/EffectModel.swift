import Millrace
import MillraceEffects

/// An effect in its place as a machine of numbered decisions: what is asked for, what runs and what has finished.
protocol EffectModel: DecidingModel {
  /// Its index among the effects of the feature.
  var number: Int32 { get }
  var connection: ConnectionIdentity { get }
  /// The ids of the parts of the state to which it belongs, outermost first.
  var parts: [AnyHashable] { get }
  var actionType: Any.Type { get }
  var failureType: Any.Type { get }
  /// A run of a request at its beginning; `nil` for an effect whose runs do nothing by themselves.
  func course(of request: any Hashable & Sendable) -> (any RunCourse)?
  /// The store's action that an action of the effect's becomes; `nil` if it is of another type.
  func storeAction(of action: any Sendable) -> (any Sendable)?
  /// The store's action that a failure becomes; `nil` if it is of another type.
  func storeAction(ofFailure failure: any Error, of request: any Hashable & Sendable) -> (any Sendable)?
  /// What is decided when the run that began with a request has returned.
  func returned(_ request: Int32, from decision: Int32) -> Int32
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
  let parts: [AnyHashable]
  /// The request that it began with.
  let begun: any Hashable & Sendable
  /// The newest value that was handed over to it.
  let request: any Hashable & Sendable
  /// The newest value in words.
  let text: String

  init(
    _ key: RunKey, of effect: some EffectModel, path: [Int], begun: any Hashable & Sendable,
    request: any Hashable & Sendable
  ) {
    (self.key, self.path, self.begun, self.request) = (key, path, begun, request)
    (connection, parts) = (effect.connection, effect.parts)
    text = Spelling.text(of: request)
  }
}

/// Decides with the runtime's own ``RunTable``. A stopped run returns at once, since nothing that it sends counts.
final class WiredEffectModel<Wired: WiredEffect>: EffectModel {
  private typealias Effect = Wired.Effect
  private typealias Request = Wired.Effect.Request
  private typealias Table = RunTable<Wired.Effect.ID, Wired.Effect.Request>

  private struct Live: Hashable {
    let generation: UInt64
    let id: Effect.ID
    let begun: Request
    var newest: Request

    /// The number of the run decides nothing.
    static func == (left: Live, right: Live) -> Bool {
      left.begun == right.begun && left.newest == right.newest
    }

    func hash(into hasher: inout Hasher) { hasher.combine(newest) }
  }

  private struct Contents: Hashable {
    let asked: Set<Request>
    let live: Set<Live>
  }

  private final class Decision {
    let contents: Contents
    let table: Table
    let live: [Live]
    let runs: [ModelledRun]
    /// What was decided next.
    var asked: [(requests: Set<Request>, decision: Int32)] = []
    var returned: [Int32: Int32] = [:]

    init(_ contents: Contents, _ table: Table, _ live: [Live], _ runs: [ModelledRun]) {
      (self.contents, self.table, self.live, self.runs) = (contents, table, live, runs)
    }
  }

  let number: Int32
  private let wired: Wired
  private let path: [Int]
  private let notes: ModelNotes
  private var decisions: [Decision] = []
  private var numbers: [Contents: Int32] = [:]
  private var requestNumbers: [Request: Int32] = [:]
  private var generations: UInt64 = 0

  init(_ wired: Wired, number: Int32, path: [Int], _ notes: ModelNotes) {
    (self.wired, self.number, self.path, self.notes) = (wired, number, path, notes)
  }

  var connection: ConnectionIdentity { wired.connection }
  var parts: [AnyHashable] { wired.parts }
  var actionType: Any.Type { Effect.Action.self }
  var failureType: Any.Type { Effect.Failure.self }

  // MARK: Deciding

  func connected() -> Int32 {
    if decisions.isEmpty { _ = number(of: [], Table(), []) }
    return next(after: 0)
  }

  func next(after number: Int32) -> Int32 {
    let requests = wired.requests()
    let decision = decisions[Int(number)]
    if requests == decision.contents.asked { return number }
    if let known = decision.asked.first(where: { $0.requests == requests }) { return known.decision }
    let next = asked(for: requests, after: decision)
    decision.asked.append((requests, next))
    return next
  }

  private func asked(for requests: Set<Request>, after decision: Decision) -> Int32 {
    let effect = wired.effect
    var identified = requests.map { (id: effect.id(of: $0), request: $0) }
    if Set(identified.map(\.id)).count < identified.count {
      identified.sort { Spelling.text(of: $0.request) < Spelling.text(of: $1.request) }
    }
    var (table, live) = (decision.table, decision.live)
    var stopped: [Live] = []
    let steps = table.requestsChanged(
      to: identified, replacement: effect.replacement, generations: &generations)
    for step in steps.ends + steps.others {
      switch step {
      case .create(let generation, let request, _):
        live.append(Live(generation: generation, id: effect.id(of: request), begun: request, newest: request))
      case .stop(let generation), .discard(let generation):
        stopped += live.filter { $0.generation == generation }
        live.removeAll { $0.generation == generation }
      case .handOver(let generation, let request):
        if let index = live.firstIndex(where: { $0.generation == generation }) {
          live[index].newest = request
        }
      case .clash(let first, let second):
        notes.add(
          "\(connection.name) asks for two requests of one identity: "
            + "\(Spelling.text(of: first)) and \(Spelling.text(of: second))")
      case .begin: break  // of a run whose predecessor has returned: none has here
      }
    }
    for run in stopped { _ = table.runReturned(run.generation, id: run.id, generations: &generations) }
    return self.number(of: requests, table, live)
  }

  func returned(_ request: Int32, from number: Int32) -> Int32 {
    let decision = decisions[Int(number)]
    if let known = decision.returned[request] { return known }
    var next = number
    if let index = decision.live.firstIndex(where: { requestNumbers[$0.begun] == request }) {
      var (table, live) = (decision.table, decision.live)
      let run = live.remove(at: index)
      _ = table.runReturned(run.generation, id: run.id, generations: &generations)
      next = self.number(of: decision.contents.asked, table, live)
    }
    decision.returned[request] = next
    return next
  }

  private func number(of asked: Set<Request>, _ table: Table, _ live: [Live]) -> Int32 {
    let contents = Contents(asked: asked, live: Set(live))
    if let number = numbers[contents] { return number }
    var table = table
    _ = table.takeDropped()
    // In an order that does not vary from one process to the next, as that of a set does.
    let sorted = live.map { (live: $0, text: Spelling.text(of: $0.newest)) }.sorted { $0.text < $1.text }
    let runs = sorted.map { (run, _) in
      ModelledRun(
        RunKey(effect: self.number, request: requestNumber(run.begun)), of: self, path: path,
        begun: run.begun,
        request: run.newest)
    }
    let number = Int32(decisions.count)
    decisions.append(Decision(contents, table, sorted.map(\.live), runs))
    numbers[contents] = number
    return number
  }

  private func requestNumber(_ request: Request) -> Int32 {
    let number = requestNumbers[request] ?? Int32(requestNumbers.count)
    requestNumbers[request] = number
    return number
  }

  // MARK: Looking

  func changing(_ path: ArraySlice<Int>, in decision: Int32, _ change: (Int32) -> Int32) -> Int32 {
    change(decision)
  }

  func forEachRun(in decision: Int32, _ body: (ModelledRun) -> Void) {
    for run in decisions[Int(decision)].runs { body(run) }
  }

  func forEachPart(in decision: Int32, _ body: (PartModel) -> Void) {}

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
}
