/// The time since the creation of this value, on a clock of any type.
struct ProgressTime: Sendable {
  /// Returns the elapsed time.
  let now: @Sendable () -> Duration
  /// Returns when the elapsed time is `until`, or the task is cancelled. An error of the clock ends the wait.
  let sleep: @Sendable (_ until: Duration) async -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { due in try? await clock.sleep(until: start.advanced(by: due), tolerance: nil) }
  }
}
