extension Store {
  /// Connects a witness, in a turn of its own. Only the store itself has one.
  ///
  /// - Returns: `nil` for a scope.
  package func connect(
    witness: any TurnWitness<State, Action>, named name: String, fileID: StaticString, line: UInt
  ) -> Connection? {
    guard let root else { return nil }
    let entry = newEntry(type(of: witness), Placement(name, fileID, line, background: true))
    let attachment = Attachment(entry, .witness)
    let binding = WitnessBinding(
      begin: { [unowned root] in root.add(witness, at: attachment) },  // which owns what holds this
      end: { [unowned root] in root.remove(witness, at: attachment) },  // likewise
      isBusy: { witness.isBusy })
    engine.connect(attachment, recordedBy: binding)
    return Connection(attachment, in: engine)
  }
}
