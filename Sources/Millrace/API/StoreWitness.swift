/// A witness in its place.
private final class WitnessTap<State: Sendable, Action: Sendable>: Tap,
  @unchecked Sendable  // `witness` is guarded by the turn lock
{
  private unowned let engine: StateEngine<State, Action>  // which owns this, and is owned by its handle
  private var witness: (any TurnWitness<State, Action>)?

  init(_ witness: any TurnWitness<State, Action>, _ entry: Entry, in engine: StateEngine<State, Action>) {
    self.engine = engine
    self.witness = witness
    super.init(entry)
  }

  override func connectionBegan() { if let witness { engine.add(witness, at: self) } }
  override func connectionEnded() { if let witness { engine.remove(witness, at: self) } }
  override var ownWork: Int { witness?.isBusy == true ? 1 : 0 }

  override func forget() -> Any? {
    defer { witness = nil }
    return witness
  }
}

extension Store {
  /// Whether it is a scope of a store, which has no witness.
  package var isScope: Bool { root == nil }

  /// Whether it runs nothing: what is connected to it is told as values.
  package var isWiring: Bool { engine.options.wiring != nil }

  /// Connects a witness, in a turn of its own. Only the store itself has one.
  ///
  /// - Returns: `nil` for a scope.
  package func connect(
    witness: any TurnWitness<State, Action>, named name: String, fileID: StaticString, line: UInt
  ) -> Connection? {
    guard let root else { return nil }
    let entry = newEntry(type(of: witness), Placement(name, fileID, line, background: true))
    let tap = WitnessTap(witness, entry, in: root)
    engine.connect(tap)
    return Connection(tap, in: engine)
  }
}
