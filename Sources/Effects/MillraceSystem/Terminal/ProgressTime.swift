/// The time since it was made, on a clock of whichever type.
struct ProgressTime: Sendable {
  /// How much time has passed.
  let now: @Sendable () -> Duration
  /// Returns when the time has passed, or the task is cancelled. A clock that fails ends the wait.
  let sleep: @Sendable (_ until: Duration) async -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { due in try? await clock.sleep(until: start.advanced(by: due), tolerance: nil) }
  }
}
