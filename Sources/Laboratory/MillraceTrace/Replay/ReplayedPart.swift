import Millrace

/// The effects and lifetimes that one call of a `connect` function or of a lifetime's closure connects, in a replay.
final class ReplayedPart {
  /// An effect or a lifetime.
  enum Item {
    case effect(any ReplayedPlace)
    case lifetime(any ReplayedLifetime)

    var name: String {
      switch self {
      case .effect(let effect): effect.name
      case .lifetime(let lifetime): lifetime.name
      }
    }
  }

  /// In the order in which they are connected, each with whether it is.
  private(set) var items: [(item: Item, isConnected: Bool, number: UInt64?)] = []

  init(_ wiring: Wiring, _ turn: inout ReplayedTurn) {
    let ended = Set(wiring.ended)
    var numbered: [(number: UInt64, item: Item)] = []
    for effect in wiring.effects where ended.contains(effect.connection) {
      turn.endedNames.insert(turn.payloads.redactor.redact(effect.connection.name))
    }
    for effect in wiring.effects where !ended.contains(effect.connection) {
      let place = makeEffect(effect, turn.payloads.redactor)
      turn.names.insert(place.name)
      numbered.append((effect.connection.number, .effect(place)))
    }
    for lifetime in wiring.lifetimes where !ended.contains(lifetime.connection) {
      numbered.append((lifetime.connection.number, .lifetime(makeLifetime(lifetime, turn.payloads.redactor))))
    }
    items = numbered.sorted { $0.number < $1.number }.map { ($0.item, false, nil) }
  }

  func sliceChanged(_ turn: inout ReplayedTurn) {
    for (item, isConnected, _) in items where isConnected {
      switch item {
      case .effect(let effect): effect.sliceChanged(&turn)
      case .lifetime(let lifetime): lifetime.sliceChanged(&turn)
      }
    }
  }

  /// Connects everything, to the state that is looked at.
  func connectAll(_ turn: inout ReplayedTurn) { for index in items.indices { connect(index, &turn) } }

  private func connect(_ index: Int, _ turn: inout ReplayedTurn) {
    items[index].isConnected = true
    switch items[index].item {
    case .effect(let effect): effect.connect(&turn)
    case .lifetime(let lifetime): lifetime.connect(&turn)
    }
  }

  /// Something of this name was connected.
  func connected(_ line: ConnectionLine, _ turn: inout ReplayedTurn) {
    let index = items.firstIndex { $0.number == nil && $0.item.name == line.name }
    guard let index else { return }
    items[index].number = line.number
    if case .effect(let effect) = items[index].item { effect.connection = line.number }
    connect(index, &turn)
  }

  /// Everything that was connected when the recording began goes on.
  func resume(
    _ connections: [SnapshotLine.Connected]?, _ live: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn
  ) {
    var rest = connections
    for index in items.indices {
      let name = items[index].item.name
      if rest != nil {
        guard let found = rest?.firstIndex(where: { $0.name == name }) else { continue }
        let connection = rest?.remove(at: found)
        items[index].number = connection?.number
        if case .effect(let effect) = items[index].item { effect.connection = connection?.number }
      }
      items[index].isConnected = true
      switch items[index].item {
      case .effect(let effect): effect.resume(&live, &turn)
      case .lifetime(let lifetime): lifetime.resume(&live, &turn)
      }
    }
  }

  /// The runs of the effects with these names are all known again.
  func resume(effects names: Set<String>, _ live: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn) {
    for (item, isConnected, _) in items where isConnected {
      switch item {
      case .effect(let effect): if names.contains(effect.name) { effect.resume(&live, &turn) }
      case .lifetime(let lifetime): lifetime.resume(effects: names, &live, &turn)
      }
    }
  }

  /// The connection with a recorded number has ended, of this part or of one within it. Of what belongs to a part only the
  /// effects that have begun a run are known by their numbers; the others have nothing to stop.
  func disconnected(_ number: UInt64, _ turn: inout ReplayedTurn) {
    for index in items.indices where items[index].isConnected {
      switch items[index].item {
      case .effect(let effect) where effect.connection == number:
        items[index].isConnected = false
        effect.end(&turn)
      case .lifetime(let lifetime) where items[index].number == number:
        items[index].isConnected = false
        lifetime.end(&turn)
      case .lifetime(let lifetime): lifetime.disconnected(number, &turn)
      case .effect: break
      }
    }
  }

  func end(_ turn: inout ReplayedTurn) {
    let outer = turn.isEndingPart
    turn.isEndingPart = true
    for (item, isConnected, _) in items where isConnected {
      switch item {
      case .effect(let effect): effect.end(&turn)
      case .lifetime(let lifetime): lifetime.end(&turn)
      }
    }
    turn.isEndingPart = outer
  }
}

/// A lifetime in its place, in a replay.
protocol ReplayedLifetime: AnyObject {
  var name: String { get }
  func connect(_ turn: inout ReplayedTurn)
  func resume(_ live: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn)
  func resume(effects names: Set<String>, _ live: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn)
  func sliceChanged(_ turn: inout ReplayedTurn)
  /// A connection with a recorded number has ended, which may belong to a part.
  func disconnected(_ number: UInt64, _ turn: inout ReplayedTurn)
  func end(_ turn: inout ReplayedTurn)
}

private final class WiredLifetimeReplay<Wired: WiredLifetime>: ReplayedLifetime {
  private let wired: Wired
  private var parts: [(id: Wired.ID, part: ReplayedPart)] = []
  let name: String

  init(_ wired: Wired, _ redactor: Redactor) {
    (self.wired, name) = (wired, redactor.redact(wired.connection.name))
  }

  func connect(_ turn: inout ReplayedTurn) { sliceChanged(&turn) }

  func sliceChanged(_ turn: inout ReplayedTurn) {
    let ids = wired.ids()
    if ids == parts.map(\.id) {
      for (_, part) in parts { part.sliceChanged(&turn) }
      return
    }
    let present = Set(ids)
    for (id, part) in parts where !present.contains(id) { part.end(&turn) }
    let known = Dictionary(parts.map { ($0.id, $0.part) }) { first, _ in first }
    parts = ids.map { id in
      if let part = known[id] {
        part.sliceChanged(&turn)
        return (id, part)
      }
      let part = ReplayedPart(wired.wiring(id), &turn)
      part.connectAll(&turn)
      return (id, part)
    }
  }

  func resume(_ live: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn) {
    parts = wired.ids().map { id in
      let part = ReplayedPart(wired.wiring(id), &turn)
      part.resume(nil, &live, &turn)
      return (id, part)
    }
  }

  func resume(effects names: Set<String>, _ live: inout [SnapshotLine.Live], _ turn: inout ReplayedTurn) {
    for (_, part) in parts { part.resume(effects: names, &live, &turn) }
  }

  func disconnected(_ number: UInt64, _ turn: inout ReplayedTurn) {
    for (_, part) in parts { part.disconnected(number, &turn) }
  }

  func end(_ turn: inout ReplayedTurn) {
    for (_, part) in parts { part.end(&turn) }
    parts = []
  }
}

private func makeEffect(_ wired: some WiredEffect, _ redactor: Redactor) -> any ReplayedPlace {
  ReplayedEffect(wired, redactor)
}
private func makeLifetime(_ wired: some WiredLifetime, _ redactor: Redactor) -> any ReplayedLifetime {
  WiredLifetimeReplay(wired, redactor)
}
