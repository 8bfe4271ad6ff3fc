import Millrace
import MillraceFeature

/// A feature in the state that a replay has reached, and what of the recording stands for what in it.
struct ReplayedFeature<State: Sendable, Action: Sendable> {
  let store: WiringStore<State, Action>
  private var part: FeaturePart
  private var turn = FeatureTurn()
  private let redactor: Redactor
  /// The runs of the recording, by number, as they are here.
  private(set) var runs: [UInt64: (run: FeatureRun, effect: String)] = [:]
  /// The places that are known to be recorded connections.
  private var places: [UInt64: [Int]] = [:]
  private var connections: [[Int]: UInt64] = [:]

  init(_ store: WiringStore<State, Action>, _ wiring: Wiring, _ names: ReplayedNames, _ redactor: Redactor) {
    (self.store, self.redactor) = (store, redactor)
    part = FeaturePart(wiring, FeatureContext(wired: { names.met($0, redactor) }))
  }

  /// The names of what the `connect` function connects.
  var wired: [String] { part.places.compactMap { $0.connection.map(name) } }

  func name(of connection: ConnectionIdentity) -> String { redactor.redact(connection.name) }

  /// Moves out what was decided since this was last called, with the names of the effects.
  mutating func takeDecisions() -> [(effect: String, decision: FeatureDecision)] {
    // The recording has what closures have dispatched.
    _ = turn.takeSent()
    return turn.takeDecisions().map { (name(of: $0.connection), $0) }
  }

  // MARK: Inputs

  mutating func reduced(_ action: Action, by reducer: Reducer<State, Action>, isLast: Bool) {
    store.reduce(action, by: reducer)
    if isLast, let next = part.sliceChanged(&turn) { part = next }
  }

  /// Something of this name was connected.
  mutating func connected(_ number: UInt64, named name: String) {
    var found: (index: Int, number: UInt64)?
    for (index, place) in part.places.enumerated() where connections[[index]] == nil {
      // In the order in which they are connected, which is not that of the places.
      guard let wired = place.connection, self.name(of: wired) == name, wired.number < found?.number ?? .max
      else { continue }
      found = (index, wired.number)
    }
    guard let index = found?.index else { return }
    know(number, at: [index])
    part.connectionMade(index, &turn)
  }

  /// The connection with a recorded number has ended. Of what belongs to a part only the effects that have begun a run are
  /// known by their numbers; the others have nothing to stop.
  mutating func disconnected(_ number: UInt64) {
    if let place = places[number] { part.connectionEnded(place, &turn) }
  }

  /// The body of a recorded run has returned.
  ///
  /// - Parameter start: the run that begins next without an action; it may be of the value that this one has left.
  mutating func returned(_ number: UInt64, before start: RunStart? = nil) {
    guard let run = runs.removeValue(forKey: number)?.run else { return }
    let isLeaving = start.map { $0.startedBy == nil && $0.connection == connections[run.place] } ?? false
    part.runReturned(run, leavingValue: isLeaving, &turn)
  }

  /// The effects with these names have the runs of a snapshot.
  mutating func snapshotTakenUp(_ names: Set<String>) {
    let redactor = redactor
    part.snapshotTakenUp(&turn) { names.contains(redactor.redact($0.name)) }
  }

  /// A request that was started in taking up a snapshot is served by a recorded run, or it has finished.
  mutating func tookUp(_ decision: FeatureDecision, as run: SnapshotLine.Live?, of effect: String) {
    guard let run else { return part.runReturned(decision.run, &turn) }
    bind(run.generation, run.start.connection, to: decision.run, of: effect)
  }

  // MARK: Recorded numbers

  /// A recorded run is known to be one of an effect.
  mutating func bind(_ number: UInt64, _ connection: UInt64, to run: FeatureRun, of effect: String) {
    runs[number] = (run, effect)
    know(connection, at: run.place)
  }

  private mutating func know(_ connection: UInt64, at place: [Int]) {
    places[connection] = place
    connections[place] = connection
  }

  /// The place of a recorded connection, if that is known.
  func place(of connection: UInt64) -> [Int]? { places[connection] }
  /// The recorded connection of a place, if that is known.
  func connection(of place: [Int]) -> UInt64? { connections[place] }
}

/// The names of the effects that a replay has met.
final class ReplayedNames {
  private(set) var connected: Set<String> = []
  /// Those that the feature ends as it connects them: there is nothing to compare.
  private(set) var ended: Set<String> = []

  func met(_ wiring: Wiring, _ redactor: Redactor) {
    for effect in wiring.effects {
      let name = redactor.redact(effect.connection.name)
      if wiring.ended.contains(effect.connection) { ended.insert(name) } else { connected.insert(name) }
    }
  }
}
