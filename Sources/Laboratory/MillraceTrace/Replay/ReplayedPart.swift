import Millrace
import MillraceFeature

/// An effect or a lifetime in its place, in a replay.
protocol ReplayedPlace: AnyObject {
  var name: String { get }
  /// The number of the recorded connection that it stands for, once that is known.
  var connection: UInt64? { get set }
  var isConnected: Bool { get set }
  /// The state that is looked at is another one, or this was connected to it.
  func sliceChanged(_ turn: inout ReplayedTurn)
  /// It was connected before the recording began, or its runs are all known again.
  ///
  /// - Parameter names: those of the effects whose runs are known again; `nil` for all.
  func resume(_ names: Set<String>?, _ live: inout LiveRuns, _ turn: inout ReplayedTurn)
  /// A connection with a recorded number has ended, which may be within it.
  func disconnected(_ number: UInt64, _ turn: inout ReplayedTurn)
  func end(_ turn: inout ReplayedTurn)
  /// The body of a run has returned.
  func returned(_ generation: UInt64, leavingValue: Bool, _ turn: inout ReplayedTurn)
}

extension ReplayedPlace {
  func disconnected(_ number: UInt64, _ turn: inout ReplayedTurn) {}
  func returned(_ generation: UInt64, leavingValue: Bool, _ turn: inout ReplayedTurn) {}
}

/// What is decided in one turn of a replay.
struct ReplayedTurn {
  var expected = ExpectedDecisions()
  var payloads: PayloadMaker
  /// The runs of the recording, by number, as they are here.
  private(set) var bound: [UInt64: (place: any ReplayedPlace, generation: UInt64)] = [:]
  /// The recorded connections whose places are known.
  private(set) var connections: Set<UInt64> = []
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
    _ kind: Decision.Kind, _ request: Any, of place: any ReplayedPlace, _ generation: UInt64
  ) {
    let text = payloads.payload(of: request).text
    expected.append(
      ExpectedDecision(
        decision: Decision(kind: kind, effect: place.name, request: text), place: place,
        generation: generation, mayBeLate: isEndingPart && kind == .stops))
  }

  /// A recorded run is known to be one of a place.
  mutating func bind(
    _ run: UInt64, _ connection: UInt64, to place: any ReplayedPlace, _ generation: UInt64
  ) {
    bound[run] = (place, generation)
    know(connection, as: place)
  }

  mutating func know(_ connection: UInt64, as place: any ReplayedPlace) {
    place.connection = connection
    connections.insert(connection)
  }

  mutating func unbind(_ run: UInt64) -> (place: any ReplayedPlace, generation: UInt64)? {
    bound.removeValue(forKey: run)
  }
}

/// The effects and lifetimes that one call of a `connect` function or of a lifetime's closure connects, in a replay.
final class ReplayedPart {
  /// In the order in which they are connected.
  let places: [any ReplayedPlace]

  init(_ wiring: Wiring, _ turn: inout ReplayedTurn) {
    let redactor = turn.payloads.redactor
    for effect in wiring.effects {
      let name = redactor.redact(effect.connection.name)
      if wiring.ended.contains(effect.connection) {
        turn.endedNames.insert(name)
      } else {
        turn.names.insert(name)
      }
    }
    places = wiring.statements.compactMap { statement in
      switch statement {
      case .effect(let wired): makeEffect(wired, redactor)
      case .lifetime(let wired): makeLifetime(wired, redactor)
      case .component, .sends: nil
      }
    }
  }

  private var connected: [any ReplayedPlace] { places.filter(\.isConnected) }

  func sliceChanged(_ turn: inout ReplayedTurn) {
    for place in connected { place.sliceChanged(&turn) }
  }

  /// Connects everything, to the state that is looked at.
  func connectAll(_ turn: inout ReplayedTurn) {
    for place in places { place.isConnected = true }
    sliceChanged(&turn)
  }

  /// Something of this name was connected.
  func connected(_ line: ConnectionLine, _ turn: inout ReplayedTurn) {
    guard let place = places.first(where: { $0.connection == nil && $0.name == line.name }) else { return }
    turn.know(line.number, as: place)
    place.isConnected = true
    place.sliceChanged(&turn)
  }

  /// Everything that was connected when the recording began goes on.
  func resume(
    _ connections: [SnapshotLine.Connected]?, _ live: inout LiveRuns, _ turn: inout ReplayedTurn
  ) {
    var rest = connections
    for place in places {
      if rest != nil {
        guard let found = rest?.firstIndex(where: { $0.name == place.name }),
          let connection = rest?.remove(at: found)
        else { continue }
        turn.know(connection.number, as: place)
      }
      place.isConnected = true
      place.resume(nil, &live, &turn)
    }
  }

  /// The runs of the effects with these names are all known again.
  func resume(effects names: Set<String>, _ live: inout LiveRuns, _ turn: inout ReplayedTurn) {
    for place in connected { place.resume(names, &live, &turn) }
  }

  /// The connection with a recorded number has ended, of this part or of one within it. Of what belongs to a part only the
  /// effects that have begun a run are known by their numbers; the others have nothing to stop.
  func disconnected(_ number: UInt64, _ turn: inout ReplayedTurn) {
    for place in connected {
      if place.connection == number {
        place.isConnected = false
        place.end(&turn)
      } else {
        place.disconnected(number, &turn)
      }
    }
  }

  func end(_ turn: inout ReplayedTurn) {
    let outer = turn.isEndingPart
    turn.isEndingPart = true
    for place in connected { place.end(&turn) }
    turn.isEndingPart = outer
  }
}

private final class ReplayedLifetime<Wired: WiredLifetime>: ReplayedPlace {
  private let wired: Wired
  private var parts = LiveParts<Wired.ID, ReplayedPart>()
  let name: String
  var connection: UInt64?
  var isConnected = false

  init(_ wired: Wired, _ redactor: Redactor) {
    (self.wired, name) = (wired, redactor.redact(wired.connection.name))
  }

  func sliceChanged(_ turn: inout ReplayedTurn) {
    partsChanged(to: wired.ids(), &turn) { part, turn in part.connectAll(&turn) }
  }

  func end(_ turn: inout ReplayedTurn) { partsChanged(to: [], &turn) { _, _ in } }

  func resume(_ names: Set<String>?, _ live: inout LiveRuns, _ turn: inout ReplayedTurn) {
    if let names {
      for part in parts.parts { part.resume(effects: names, &live, &turn) }
    } else {
      parts = LiveParts()
      partsChanged(to: wired.ids(), &turn) { part, turn in part.resume(nil, &live, &turn) }
    }
  }

  private func partsChanged(
    to ids: [Wired.ID], _ turn: inout ReplayedTurn, began: (ReplayedPart, inout ReplayedTurn) -> Void
  ) {
    parts.partsChanged(
      to: ids, ended: { $0.end(&turn) }, kept: { $0.sliceChanged(&turn) },
      began: { id in
        let part = ReplayedPart(wired.wiring(id), &turn)
        began(part, &turn)
        return part
      })
  }

  func disconnected(_ number: UInt64, _ turn: inout ReplayedTurn) {
    for part in parts.parts { part.disconnected(number, &turn) }
  }
}

private func makeEffect(_ wired: some WiredEffect, _ redactor: Redactor) -> any ReplayedPlace {
  ReplayedEffect(wired, redactor)
}
private func makeLifetime(_ wired: some WiredLifetime, _ redactor: Redactor) -> any ReplayedPlace {
  ReplayedLifetime(wired, redactor)
}
