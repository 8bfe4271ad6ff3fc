extension Clock where Duration == Swift.Duration {
  /// Waits, and returns whether to go on: not if the task was cancelled. A clock that fails ends the wait.
  func waits(_ delay: Duration) async -> Bool {
    if delay > .zero { try? await sleep(for: min(delay, TimerLimits.longestWait)) }
    return !Task.isCancelled
  }
}
