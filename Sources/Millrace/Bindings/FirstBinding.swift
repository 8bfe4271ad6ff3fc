/// Waits for a state that satisfies a predicate. What varies is guarded by the turn lock.
final class FirstBinding<State: Sendable>: Watcher {
  let attachment: Attachment
  private unowned let engine: Engine  // which owns this while it is connected
  private let source: SequenceSource<FirstState<State>>
  private let predicate: @Sendable (borrowing State) -> Bool
  private var watched: (any Watched<State>)?

  init(
    _ source: SequenceSource<FirstState<State>>, at attachment: Attachment, in engine: Engine,
    where predicate: @escaping @Sendable (borrowing State) -> Bool
  ) {
    self.source = source
    self.attachment = attachment
    self.engine = engine
    self.predicate = predicate
  }

  /// The value of its slice was found, in the turn in which it is connected.
  func watch(_ watched: any Watched<State>) { self.watched = watched }

  func connected(_ attachment: Attachment, to node: Node) { sliceChanged() }

  func sliceChanged() {
    guard attachment.isServed, let watched, watched.lent.lend(predicate) else { return }
    self.watched = nil
    let found = Box(copying: watched.lent)
    if let wake = source.change({ $0.found = found }).1 { engine.decided.deliver(wake) }
  }

  func ended(_ attachment: Attachment) {
    watched = nil
    if let wake = source.end() { engine.decided.deliver(wake) }
  }
}

/// The state that was found and not taken yet.
struct FirstState<State: Sendable>: SequenceContents {
  var found: Box<State>?

  mutating func takeNext() -> Box<State>? {
    defer { found = nil }
    return found
  }
}
