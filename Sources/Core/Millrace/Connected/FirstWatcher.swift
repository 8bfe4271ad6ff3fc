/// Waits for a state that satisfies a predicate. Its variables are guarded by the turn lock.
final class FirstWatcher<State: Sendable>: Watcher,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  let source = SequenceSource(NewestValue<State>())
  private unowned let engine: Engine  // the engine owns this, and the `Connection` owns the engine
  private var predicate: (@Sendable (borrowing State) -> Bool)?
  private var isFound = false

  init(_ entry: Entry, in engine: Engine, where predicate: @escaping @Sendable (borrowing State) -> Bool) {
    self.engine = engine
    self.predicate = predicate
    super.init(entry)
  }

  override var kind: ConnectionKind { .consumer }

  override func sliceChanged(at node: Node) {
    let state = node.borrowed(as: State.self)
    guard isServed, !isFound, let predicate, state.read(predicate) else { return }
    isFound = true
    let found = Box(copying: state)
    if let wake = source.change({ $0.newest = found }).1 { engine.deliver(wake) }
  }

  override func connectionEnded() {
    if let wake = source.end() { engine.deliver(wake) }
  }

  override func forget() -> Any? {
    defer { predicate = nil }
    return predicate
  }
}
