/// Waits for a state that satisfies a predicate. What varies is guarded by the turn lock.
final class FirstWatcher<State: Sendable>: Watcher,
  @unchecked Sendable  // what varies is guarded by the turn lock
{
  let source = SequenceSource(NewestValue<State>())
  private unowned let engine: Engine  // which owns this while it is connected, and is owned by its handle
  private var predicate: (@Sendable (borrowing State) -> Bool)?
  /// `nil` before its place is found, and once there is nothing more to find, as `predicate` then.
  var watched: (any Watched<State>)?

  init(_ entry: Entry, in engine: Engine, where predicate: @escaping @Sendable (borrowing State) -> Bool) {
    self.engine = engine
    self.predicate = predicate
    super.init(entry)
  }

  override var kind: ConnectionKind { .consumer }

  override func sliceChanged(at _: Node) {
    guard isServed, let watched, let predicate, watched.borrowed.read(predicate) else { return }
    self.watched = nil
    let found = Box(copying: watched.borrowed)
    if let wake = source.change({ $0.newest = found }).1 { engine.decided.deliver(wake) }
  }

  override func connectionEnded() {
    watched = nil
    if let wake = source.end() { engine.decided.deliver(wake) }
  }

  override func forget() -> Any? {
    defer { predicate = nil }
    return predicate
  }
}
