import Millrace

extension Wiring {
  /// A statement of a `connect` function or of a lifetime's closure.
  package enum Statement {
    case effect(any WiredEffect)
    case lifetime(any WiredLifetime)
    case component(ConnectionIdentity)
    /// Dispatches an action of the store's.
    case sends(any Sendable)
  }

  /// The statements in order, without connections that have ended again.
  package var statements: [Statement] {
    var connects = effects.map { ($0.connection, Statement.effect($0)) }
    connects += lifetimes.map { ($0.connection, .lifetime($0)) }
    connects += components.map { ($0, .component($0)) }
    connects.sort { $0.0.number < $1.0.number }
    let ended = Set(ended.map(\.number))
    return (0...connects.count).flatMap { count -> [Statement] in
      let last = count == 0 ? nil : connects[count - 1]
      let connect = last.flatMap { ended.contains($0.0.number) ? nil : $0.1 }
      return [connect].compactMap(\.self) + sent.filter { $0.after == count }.map { .sends($0.action) }
    }
  }

  /// The ended connections that were not made here.
  package var endedElsewhere: [ConnectionIdentity] {
    let own = effects.map(\.connection) + lifetimes.map(\.connection) + components
    return ended.filter { !own.contains($0) }
  }
}
