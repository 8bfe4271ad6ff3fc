/// The state machine of a ``Gate``: its passes, the tasks that wait at it, and the tasks that wait for waiters.
///
/// Invariant: a task waits at the gate only while the gate is closed and no pass is left.
struct GateState<Waiter> {
  private(set) var isOpen: Bool

  /// The number of tasks that may still pass while the gate is closed.
  private(set) var passes = 0

  /// Tasks that wait at the gate, in order of arrival.
  var waiting = WaitList<Void, Waiter>()

  /// Tasks that wait for a number of waiters at the gate.
  var watching = WaitList<Int, Waiter>()

  mutating func waiterArrived(
    _ ticket: WaitList<Void, Waiter>.Ticket, _ waiter: Waiter
  ) -> [Resumption<Waiter>] {
    let resumed = waiting.suspended(ticket, waiter: waiter, for: (), isReached: isOpen || passes > 0)
    if resumed.isEmpty { return watching.reached(count: waiting.count) }
    if resumed[0].outcome == .reached, !isOpen { passes -= 1 }
    return resumed
  }

  mutating func opened() -> [Resumption<Waiter>] {
    isOpen = true
    passes = 0
    return waiting.reached(first: .max)
  }

  mutating func closed() {
    isOpen = false
    passes = 0
  }

  mutating func passGranted(to count: Int) -> [Resumption<Waiter>] {
    guard !isOpen else { return [] }
    let resumptions = waiting.reached(first: count)
    passes += count - resumptions.count
    return resumptions
  }
}
