/// The lock of a store's state and decisions, held for a few turns at a time.
///
/// A pthread mutex is not fair: a drain that unlocks and locks again at once would starve a reader of the state. So
/// every thread first passes a gate, which a waiting reader keeps locked:
///
///     reader                      drain
///     lock gate
///     lock turn … waits           unlock turn
///                                 lock gate … waits
///     has the turn, unlocks gate
///                                 lock turn … waits until the reader is done
struct TurnLock: Sendable {
  private let gate = Lock(())
  private let turn = Lock(())

  /// Waits for the lock, and calls `body` with it held.
  func withLock<Result>(_ body: () -> Result) -> Result {
    // Not by `withLock`: ThreadSanitizer takes the access of an empty value for one of the whole object.
    gate.lock()
    turn.lock()
    gate.unlock()
    defer { turn.unlock() }
    return body()
  }
}
