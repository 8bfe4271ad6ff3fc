/// Decides when the ticks of one timer are due, as times from its start. Pure.
struct TickCounter {
  /// The time of the next tick; `nil` if there is none.
  private(set) var next: Duration?
  private var count = 0
  private let interval: Duration?
  private let missed: MissedTicks

  /// Begins a schedule, or throws the reason why it cannot be kept.
  init(_ schedule: TimerSchedule, tolerance: Duration?) throws(TimerRefusal) {
    if let tolerance, tolerance < .zero { throw .negativeTolerance(tolerance) }
    switch schedule {
    case .after(let delay):
      guard delay >= .zero else { throw .negative(delay) }
      guard delay <= TimerLimits.longestWait else { throw .tooLong(delay) }
      (next, interval, missed) = (delay, nil, .coalesce)
    case .every(let interval, let missed):
      guard interval != .zero else { throw .intervalIsZero }
      guard interval > .zero else { throw .negative(interval) }
      guard interval >= TimerLimits.shortestInterval else { throw .tooShort(interval) }
      guard interval <= TimerLimits.longestWait else { throw .tooLong(interval) }
      (next, self.interval, self.missed) = (interval, interval, missed)
    }
  }

  /// The clock's sleep until `next` has ended at `now`. Returns the tick to send; `nil` if none was due.
  mutating func woke(at now: Duration) -> TimerTick? {
    guard let first = next else { return nil }
    count += 1
    guard let interval else {
      next = nil
      return TimerTick(count: count, due: first)
    }
    var due = first
    var passed = 0
    if missed == .coalesce, now > first {
      passed = (now - first).count(of: interval)
      due = first + interval * passed
      count += passed
    }
    next = due + interval
    return TimerTick(count: count, due: due, missed: passed)
  }
}
