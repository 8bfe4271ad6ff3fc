import Millrace

extension Wiring {
  /// All statements but those whose connections have ended.
  package var lasting: [Statement] {
    let ended = Set(ended)
    return statements.filter { $0.connection.map { !ended.contains($0) } ?? true }
  }

  /// The ended connections that were not made here.
  package var endedElsewhere: [ConnectionIdentity] {
    let own = Set(statements.compactMap(\.connection))
    return ended.filter { !own.contains($0) }
  }

  package var hasLifetimes: Bool {
    lasting.contains { if case .lifetime = $0 { true } else { false } }
  }
}

extension Wiring.Statement {
  /// The connection that it makes.
  fileprivate var connection: ConnectionIdentity? {
    switch self {
    case .effect(let effect): effect.identity
    case .lifetime(let lifetime): lifetime.identity
    case .component(let connection): connection
    case .sends: nil
    }
  }
}
