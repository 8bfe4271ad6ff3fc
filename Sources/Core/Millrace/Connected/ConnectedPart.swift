/// A connected optional slice. Begins and ends the lifetimes of its values. All variables are guarded by the turn lock.
final class ConnectedPart<Whole: Sendable, WholeAction: Sendable, Part: Equatable & Sendable>:
  PartKeeper<Whole, WholeAction, NoPartID>,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  let optional: Projection<Whole, Part?>
  /// Whether a new value continues the lifetime of the value before.
  private let isSame: (Part, Part) -> Bool
  private var life: PartNode<Part>?

  init(
    _ entry: Entry, at backend: Backend<Whole, WholeAction>, in engine: Engine,
    _ optional: Projection<Whole, Part?>, isSame: @escaping (Part, Part) -> Bool,
    connect: @escaping (NoPartID, Life) -> Void
  ) {
    self.optional = optional
    self.isSame = isSame
    super.init(entry, at: backend, in: engine, connect: connect)
  }

  // The node of the optional slice recognises an unchanged slice without unwrapping.
  override func findNode() -> Node? { backend?.node(engine).child(optional) }

  override func sliceChanged(at node: Node) {
    guard isServed else { return }
    guard let part = node.borrowed(as: Part?.self).value else { return endLife() }
    if let life, life.box.borrowed.read({ isSame($0, part) }) {
      life.take(Box(part))
      return life.serveWatchers()
    }
    endLife()
    beginLife(with: part, under: node)
  }

  private func beginLife(with part: Part, under node: Node) {
    guard phase == .connected, let connect, !engine.isClosing(account, isOfPart: true) else { return }
    let account = Account(parent: inner, isMortal: true)
    let life = PartNode(holding: Box(part), under: node, in: account) { _ in .present }
    // The life is recorded before the closure is called, since the closure may end it.
    self.life = life
    engine.beginPart { connect(NoPartID(), life) }
  }

  private func endLife() {
    guard let life else { return }
    self.life = nil
    engine.endParts(of: life.account, at: [life])
  }

  override func connectionEnded() { endLife() }

  override func collectDisplays(_ batches: inout [DisplayBatch]) { life?.collectDisplaysIfChanged(&batches) }
  override func forEachPart(_ body: (Node) -> Void) { if let life { body(life) } }
}
