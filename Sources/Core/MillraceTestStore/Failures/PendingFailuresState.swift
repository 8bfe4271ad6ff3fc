/// The failures that are not recorded yet, with the waiters for each.
struct PendingFailuresState<Waiter> {
  private var lastTicket = 0
  private var pending: Set<Int> = []
  private var waiters: [(ticket: Int, waiter: Waiter)] = []

  /// A failure was sent. Returns its ticket.
  mutating func sent() -> Int {
    lastTicket += 1
    pending.insert(lastTicket)
    return lastTicket
  }

  /// A failure was recorded. Returns the waiters to resume.
  mutating func recorded(_ ticket: Int) -> [Waiter] {
    pending.remove(ticket)
    let first = pending.min() ?? .max
    let ready = waiters.filter { $0.ticket < first }
    waiters.removeAll { $0.ticket < first }
    return ready.map(\.waiter)
  }

  /// A task waits for all failures sent so far. Returns whether none is pending; the waiter is not kept then.
  mutating func waited(_ waiter: Waiter) -> Bool {
    if pending.isEmpty { return true }
    waiters.append((lastTicket, waiter))
    return false
  }
}
