import Millrace

/// An effect in its place, in a replay.
protocol ReplayedPlace: AnyObject {
  var name: String { get }
  /// The number of the recorded connection that it stands for, once that is known.
  var connection: UInt64? { get set }
  /// It is connected, to the state that is looked at.
  func connect(_ turn: inout ReplayedTurn)
  /// It was connected before the recording began, or its runs are all known again.
  func resume(_ runs: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn)
  func sliceChanged(_ turn: inout ReplayedTurn)
  func end(_ turn: inout ReplayedTurn)
  /// The body of a run has returned.
  func returned(_ generation: UInt64, leavingValue: Bool, _ turn: inout ReplayedTurn)
}

/// What is decided in one turn of a replay.
struct ReplayedTurn {
  var expected: [ExpectedDecision] = []
  var payloads: PayloadMaker
  /// The runs of the recording, by number, as they are here.
  var bound: [UInt64: (place: any ReplayedPlace, generation: UInt64)] = [:]
  /// The names of the effects that were met.
  var names: Set<String> = []
  /// The names of effects that the feature ends as it connects them: there is nothing to compare.
  var endedNames: Set<String> = []
  /// Whether what ends is a part of the state, and not a connection.
  var isEndingPart = false
  /// The names of effects that are not compared for a while: a run of theirs serves no request of the state, such as one
  /// that was stopped before the recording began. The recording does not tell its identity, for which others may wait.
  var unknown: Set<String> = []

  init(_ redactor: Redactor) { payloads = PayloadMaker(redactor) }

  mutating func expect(
    _ kind: Decision.Kind, _ request: String, of place: any ReplayedPlace, _ generation: UInt64
  ) {
    expected.append(
      ExpectedDecision(
        decision: Decision(kind: kind, effect: place.name, request: request), place: place,
        generation: generation, mayBeLate: isEndingPart && kind == .stops))
  }
}

/// Decides for one effect as the runtime does, with the runtime's own ``RunTable``.
final class ReplayedEffect<Wired: WiredEffect>: ReplayedPlace {
  private typealias Request = Wired.Effect.Request

  private let wired: Wired
  private let effect: Wired.Effect
  private var asked: Set<Request> = []
  private var table = RunTable<Wired.Effect.ID, Request>()
  private var runs: [UInt64: (id: Wired.Effect.ID, request: Request)] = [:]
  private var generations: UInt64 = 0
  private var isConnected = false
  let name: String
  var connection: UInt64?

  init(_ wired: Wired, _ redactor: Redactor) {
    self.wired = wired
    (effect, name) = (wired.effect, redactor.redact(wired.connection.name))
  }

  func connect(_ turn: inout ReplayedTurn) {
    isConnected = true
    sliceChanged(&turn)
  }

  func sliceChanged(_ turn: inout ReplayedTurn) {
    if !isConnected || turn.unknown.contains(name) { return }
    let requests = wired.requests()
    if requests != asked { requestsChanged(to: requests, &turn) }
  }

  func end(_ turn: inout ReplayedTurn) {
    if !isConnected { return }
    isConnected = false
    if !turn.unknown.contains(name) { requestsChanged(to: [], &turn) }
  }

  private func requestsChanged(to requests: Set<Request>, _ turn: inout ReplayedTurn) {
    asked = requests
    let steps = table.requestsChanged(
      to: requests.map { (effect.id(of: $0), $0) }, replacement: effect.replacement, generations: &generations
    )
    for step in steps.ends { perform(step, &turn) }
    for step in steps.others { perform(step, &turn) }
    _ = table.takeDropped()
  }

  private func perform(
    _ step: RunTable<Wired.Effect.ID, Request>.Step, _ turn: inout ReplayedTurn
  ) {
    switch step {
    case .create(let generation, let request, let begins):
      runs[generation] = (effect.id(of: request), request)
      if begins { begin(generation, request, &turn) }
    case .begin(let generation): if let run = runs[generation] { begin(generation, run.request, &turn) }
    case .stop(let generation):
      guard let run = runs[generation] else { return }
      turn.expect(.stops, turn.payloads.payload(of: run.request).text, of: self, generation)
    case .discard(let generation): runs[generation] = nil
    case .handOver(let generation, let request):
      runs[generation]?.request = request
      turn.expect(.handsOver, turn.payloads.payload(of: request).text, of: self, generation)
    case .clash: break
    }
  }

  private func begin(_ generation: UInt64, _ request: Request, _ turn: inout ReplayedTurn) {
    turn.expect(.starts, turn.payloads.payload(of: request).text, of: self, generation)
  }

  func returned(_ generation: UInt64, leavingValue: Bool, _ turn: inout ReplayedTurn) {
    guard let run = runs.removeValue(forKey: generation) else { return }
    let next = table.runReturned(
      generation, id: run.id, leftValue: leavingValue, generations: &generations)
    if let next { perform(next, &turn) }
    _ = table.takeDropped()
  }

  func resume(_ live: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn) {
    isConnected = true
    if turn.unknown.contains(name) { return }
    (table, runs) = (RunTable(), [:])
    asked = wired.requests()
    let steps = table.requestsChanged(
      to: asked.map { (effect.id(of: $0), $0) }, replacement: effect.replacement, generations: &generations)
    for case .create(let generation, let request, _) in steps.others {
      runs[generation] = (effect.id(of: request), request)
      let text = turn.payloads.payload(of: request).text
      let index = live.firstIndex { run in
        run.start.name == name && run.start.request.text == text
          && (connection ?? run.start.connection) == run.start.connection
      }
      if let index {
        let run = live.remove(at: index)
        connection = run.start.connection
        turn.bound[run.generation] = (self, generation)
      } else {
        // Asked for and not running: it has finished.
        returned(generation, leavingValue: false, &turn)
      }
    }
  }
}
