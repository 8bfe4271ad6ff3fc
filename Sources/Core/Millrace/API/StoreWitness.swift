extension Store {
  /// Whether this is a scope, which has no witness.
  package var isScope: Bool { root == nil }

  /// Whether this store runs nothing and records its connections instead.
  package var isWiring: Bool { engine.options.wiring != nil }

  /// The name of the store in activity lists.
  package var listedName: String { engine.name }

  /// Connects a witness, in a turn of its own. Only a root store has one.
  ///
  /// - Returns: `nil` for a scope.
  package func connect(
    witness: any TurnWitness<State, Action>, named name: String, fileID: StaticString, line: UInt
  ) -> Connection? {
    guard let root else { return nil }
    let entry = newEntry(type(of: witness), Placement(name, fileID, line, longRunning: true))
    return place(WitnessTap(witness, entry, in: root))
  }

  /// Returns what each connected effect knows of a request at this moment, and the lifetimes whose slice is `nil`.
  package func moment(
    of request: some Hashable & Sendable
  ) -> (effects: [RequestMoment], absent: [(connection: ConnectionIdentity, slice: String)]) {
    let (effects, absent) = engine.locked {
      let all = engine.allConnected(in: account).sorted { $0.id < $1.id }
      return (
        all.compactMap { ($0 as? any RunKeeping)?.moment(of: request) },
        all.compactMap { $0 as? Keeper }.filter { !$0.hasParts }.map { ($0.identity, $0.path) }
      )
    }
    return (effects, absent.map { ($0, $1?.text() ?? "-") })
  }
}
