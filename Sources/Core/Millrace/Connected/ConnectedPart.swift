/// A connected optional slice. Begins and ends the lifetimes of its values. All variables are guarded by the turn lock.
final class ConnectedPart<Whole: Sendable, WholeAction: Sendable, Part: Equatable & Sendable>:
  PartKeeper<Whole, WholeAction, NoPartID, Part>,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  let optional: Projection<Whole, Part?>
  /// Whether a new value continues the lifetime of the value before.
  private let isSame: (Part, Part) -> Bool
  /// The last value of the slice. An unchanged slice is recognised by it without unwrapping.
  private var last: Box<Part?>?
  private var life: PartNode<Part>?

  init(
    _ entry: Entry, at backend: Backend<Whole, WholeAction>, in engine: Engine,
    _ optional: Projection<Whole, Part?>, isSame: @escaping (Part, Part) -> Bool,
    connect: @escaping (NoPartID, Lifetime<Part>) -> Void
  ) {
    self.optional = optional
    self.isSame = isSame
    super.init(entry, at: backend, in: engine, connect: connect)
  }

  override func sliceChanged(at _: Node) {
    guard isServed, let whole, let part = newPart(in: whole) else { return }
    guard let part else { return endLife() }
    if let life, life.borrowed.read({ isSame($0, part) }) {
      life.take(Box(part))
      return life.serveWatchers()
    }
    endLife()
    beginLife(with: part, under: whole.node)
  }

  /// The new value of the slice; `nil` if it has not changed.
  private func newPart(in whole: WatchedNode<Whole>) -> Part?? {
    let box: Box<Part?>
    if let last {
      guard let new = optional.newBox(in: whole.value.borrowed, last: last) else { return nil }
      whole.node.released.append(last)
      box = new
    } else {
      box = optional.box(in: whole.value.borrowed)
    }
    // The comparison has called the user's functions, which may have ended this connection. Then it keeps nothing.
    if phase == .connected { last = box } else { whole.node.released.append(box) }
    return .some(box.value)
  }

  private func beginLife(with part: Part, under whole: Node) {
    guard phase == .connected, let connect, !engine.isClosing(account, isOfPart: true) else { return }
    let account = Account(parent: inner, isMortal: true)
    let life = PartNode(holding: Box(part), under: whole, in: account) { [name = optional.name] _ in
      .present(name)
    }
    // The life is recorded before the closure is called, since the closure may end it.
    self.life = life
    engine.beginPart { connect(NoPartID(), life.lifetime) }
  }

  private func endLife() {
    guard let life else { return }
    self.life = nil
    engine.endParts(of: life.account, at: [life])
  }

  override var path: SlicePath? { super.path?.appending(.slice(optional.name)) }

  override func connectionEnded() { endLife() }

  override func forget() -> Any? {
    defer { last = nil }
    return super.forget().map { ($0, last) }
  }

  override func collectDisplays(_ batch: inout DisplayBatch) { life?.collectDisplaysIfChanged(&batch) }
  override func forEachPart(_ body: (Node) -> Void) { if let life { body(life) } }
}
