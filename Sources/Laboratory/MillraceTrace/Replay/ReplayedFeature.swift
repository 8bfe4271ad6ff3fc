import Millrace
import MillraceFeature

/// A feature in the current state of a replay, with the recorded numbers of its runs and connections.
struct ReplayedFeature<State: Sendable, Action: Sendable> {
  let store: WiringStore<State, Action>
  private var part: FeaturePart
  private var turn = FeatureTurn()
  private let redactor: Redactor
  /// The runs of the feature, by their recorded numbers.
  private(set) var runs: [UInt64: (run: FeatureRun, effect: String, request: String)] = [:]
  /// The places of the recorded connections, as far as known.
  private var places: [UInt64: [Int]] = [:]
  private var connections: [[Int]: UInt64] = [:]

  init(_ store: WiringStore<State, Action>, _ wiring: Wiring, _ names: ReplayedNames, _ redactor: Redactor) {
    (self.store, self.redactor) = (store, redactor)
    part = FeaturePart(wiring, FeatureContext(wired: { names.met($0, redactor) }))
  }

  /// The names of the effects, components and views that `connect` connects.
  var wired: [String] { part.places.compactMap { $0.connection.map(name) } }

  func name(of connection: ConnectionIdentity) -> String { redactor.redact(connection.name) }

  /// The decisions since the last call, with the names of the effects.
  mutating func takeDecisions() -> [(effect: String, decision: FeatureDecision)] {
    // The recording has the actions of closures, so these are dropped.
    _ = turn.takeSent()
    return turn.takeDecisions().map { (name(of: $0.connection), $0) }
  }

  // MARK: Inputs

  mutating func reduced(_ action: Action, by reducer: Reducer<State, Action>) {
    store.reduce(action, by: reducer)
    if let next = part.sliceChanged(&turn) { part = next }
  }

  /// A recorded connection of this name was made.
  mutating func connected(_ number: UInt64, named name: String) {
    var found: (index: Int, number: UInt64)?
    for (index, place) in part.places.enumerated() where connections[[index]] == nil {
      // In the order of connecting, which is not that of the places.
      guard let wired = place.connection, self.name(of: wired) == name, wired.number < found?.number ?? .max
      else { continue }
      found = (index, wired.number)
    }
    guard let index = found?.index else { return }
    know(number, at: [index])
    part.connectionMade(index, &turn)
  }

  /// The connection with a recorded number has ended. In a part of the state, only effects that have begun a run are
  /// known by their numbers; the others have nothing to stop.
  mutating func disconnected(_ number: UInt64) {
    if let place = places[number] { part.connectionEnded(place, &turn) }
  }

  /// The body of a recorded run has returned.
  ///
  /// - Parameter start: the run that begins next without an action. It may serve the value that this run has left.
  mutating func returned(_ number: UInt64, before start: RunStart? = nil) {
    guard let run = runs.removeValue(forKey: number)?.run else { return }
    let isLeaving = start.map { $0.startedBy == nil && $0.connection == connections[run.place] } ?? false
    part.runReturned(run, leavingValue: isLeaving, &turn)
  }

  /// The effects with these names have taken over the runs of a snapshot.
  mutating func snapshotTakenUp(_ names: Set<String>) {
    let redactor = redactor
    part.snapshotTakenUp(&turn) { names.contains(redactor.redact($0.name)) }
  }

  /// A request started while taking over a snapshot is served by a recorded run. Without a run, it has finished.
  mutating func tookUp(_ decision: FeatureDecision, as run: SnapshotLine.Live?) {
    guard let run else { return part.runReturned(decision.run, &turn) }
    bind(run.generation, run.start, to: decision.run)
  }

  // MARK: Recorded numbers

  /// Notes which run of the feature a recorded run is.
  mutating func bind(_ number: UInt64, _ start: RunStart, to run: FeatureRun) {
    runs[number] = (run, start.name, start.request.text)
    know(start.connection, at: run.place)
  }

  /// Another value was handed over to a recorded run.
  mutating func handedOver(_ request: String, to number: UInt64) { runs[number]?.request = request }

  private mutating func know(_ connection: UInt64, at place: [Int]) {
    places[connection] = place
    connections[place] = connection
  }

  /// The place of a recorded connection; `nil` if unknown.
  func place(of connection: UInt64) -> [Int]? { places[connection] }
  /// The recorded connection of a place; `nil` if unknown.
  func connection(of place: [Int]) -> UInt64? { connections[place] }
}

/// The names of the effects in a replay.
final class ReplayedNames {
  private(set) var connected: Set<String> = []
  /// The names of effects that the feature ends while connecting; they are not compared.
  private(set) var ended: Set<String> = []

  func met(_ wiring: Wiring, _ redactor: Redactor) {
    for case .effect(let effect) in wiring.statements {
      let name = redactor.redact(effect.identity.name)
      if wiring.ended.contains(effect.identity) { ended.insert(name) } else { connected.insert(name) }
    }
  }
}
