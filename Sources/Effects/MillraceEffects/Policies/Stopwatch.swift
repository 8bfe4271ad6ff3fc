/// The time since the creation of this value, on a clock of any type.
package struct Stopwatch: Sendable {
  /// Returns the elapsed time.
  package let now: @Sendable () -> Duration
  private let sleep: @Sendable (_ until: Duration) async -> Void

  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { due in try? await clock.sleep(until: start.advanced(by: due), tolerance: nil) }
  }

  /// Waits until this time has elapsed, and returns whether to continue: `false` if the task was cancelled. An error of
  /// the clock ends the wait.
  package func waits(until due: Duration) async -> Bool {
    await sleep(due)
    return !Task.isCancelled
  }
}
