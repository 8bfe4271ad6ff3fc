import Millrace

/// Lets one pass at a time, at intervals.
final class Throttle<C: Clock>: Sendable where C.Duration == Duration {
  let interval: Duration
  private let clock: C
  /// The waiters, in order of arrival; the first waits for the interval to be over.
  private let turn: ConcurrencyLimit
  /// When the last one passed. Nothing else is kept of those who have.
  private let last = Lock<C.Instant?>(nil)

  init(_ interval: Duration, _ clock: C) {
    self.interval = interval
    self.clock = clock
    turn = ConcurrencyLimit(1, waitsFor: "its turn in a throttle of \(interval.text)")
  }

  /// Waits for its turn. Returns whether to go on: not if the task was cancelled, which then has no turn.
  func passes() async -> Bool {
    await turn.withSlot {
      if let last = last.withLock({ $0 }), last.duration(to: clock.now) < interval {
        let reason = "a throttle of \(interval.text)"
        guard await clock.waits(interval, from: last, for: reason) else { return false }
      }
      last.withLock { $0 = clock.now }
      return true
    } ?? false
  }

  /// Passes if the interval is over, without waiting.
  func passesAtOnce() -> Bool {
    let now = clock.now
    return last.withLock { last in
      if let last, last.duration(to: now) < interval { return false }
      last = now
      return true
    }
  }
}
