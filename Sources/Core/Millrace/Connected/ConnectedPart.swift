/// An optional slice in its place: begins and ends the lifetimes of what it holds. Everything that varies is guarded by the
/// turn lock.
final class ConnectedPart<Whole: Sendable, Part: Equatable & Sendable>: Keeper,
  @unchecked Sendable  // what varies is guarded by the turn lock
{
  private unowned let engine: Engine  // which owns this while it is connected, and is owned by its handle
  private let optional: Projection<Whole, Part?>
  /// Whether a value that replaces another continues its lifetime.
  private let isSame: (Part, Part) -> Bool
  /// Calls the closure of the user's with a store of the part.
  private(set) var connect: ((Lifetime<Part>) -> Void)?
  /// `nil` before its place is found, and once the connection has ended, as `connect` and `last` then.
  var whole: WatchedNode<Whole>?
  /// The slice as it was last looked at, so that one that has not changed is seen without unwrapping it.
  private var last: Box<Part?>?
  private var life: PartNode<Part>?

  init(
    _ entry: Entry, in engine: Engine, _ optional: Projection<Whole, Part?>,
    isSame: @escaping (Part, Part) -> Bool, connect: @escaping (Lifetime<Part>) -> Void
  ) {
    self.engine = engine
    self.optional = optional
    self.isSame = isSame
    self.connect = connect
    super.init(entry)
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

  /// The part as the slice has it now; `nil` if the slice has not changed.
  private func newPart(in whole: WatchedNode<Whole>) -> Part?? {
    let box: Box<Part?>
    if let last {
      guard let new = optional.newBox(in: whole.value.borrowed, last: last) else { return nil }
      whole.node.released.append(last)
      box = new
    } else {
      box = optional.box(in: whole.value.borrowed)
    }
    // The look has called functions of the user's, which may have ended this: then it keeps nothing.
    if phase == .connected { last = box } else { whole.node.released.append(box) }
    return .some(box.value)
  }

  private func beginLife(with part: Part, under whole: Node) {
    guard phase == .connected, let connect, !engine.isClosing(account, isOfPart: true) else { return }
    let account = Account(parent: inner, isMortal: true)
    let life = PartNode(holding: Box(part), under: whole, in: account) { [name = optional.name] _ in
      .present(name)
    }
    // On record before the closure is called, which may end it.
    self.life = life
    engine.beginPart { connect(life.lifetime) }
  }

  private func endLife() {
    guard let life else { return }
    self.life = nil
    engine.endParts(of: life.account, at: [life])
  }

  override var path: SlicePath? { super.path?.appending(.slice(optional.name)) }

  override func connectionEnded() { endLife() }

  override func forget() -> Any? {
    defer { (connect, whole, last) = (nil, nil, nil) }
    return connect.map { ($0, whole, last) }
  }

  override func collectDisplays(_ batch: inout DisplayBatch) { life?.collectDisplaysIfChanged(&batch) }
  override func forEachPart(_ body: (Node) -> Void) { if let life { body(life) } }
}
