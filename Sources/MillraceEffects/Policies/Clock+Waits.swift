extension Clock where Duration == Swift.Duration {
  /// Waits, and returns whether to go on: not if the task was cancelled. A clock that fails ends the wait.
  package func waits(_ delay: Duration) async -> Bool {
    if delay > .zero { try? await sleep(for: min(delay, TimerLimits.longestWait)) }
    return !Task.isCancelled
  }

  /// Waits until `delay` has passed since `start`, in the same way.
  package func waits(_ delay: Duration, from start: Instant) async -> Bool {
    if delay > .zero {
      try? await sleep(until: start.advanced(by: min(delay, TimerLimits.longestWait)), tolerance: nil)
    }
    return !Task.isCancelled
  }
}
