import Millrace

extension Clock where Duration == Swift.Duration {
  /// Waits, and returns whether to continue: `false` if the task was cancelled. An error of the clock ends the wait.
  ///
  /// - Parameter reason: the reason for the run's wait. By default none, since other work of the run continues
  ///   meanwhile.
  package func waits(
    _ delay: Duration, for reason: @autoclosure @escaping @Sendable () -> String? = nil
  ) async -> Bool {
    if delay > .zero {
      await marked(reason) { try? await sleep(for: min(delay, TimerLimits.longestWait)) }
    }
    return !Task.isCancelled
  }

  /// Waits until `delay` has passed since `start`, and returns whether to continue.
  package func waits(
    _ delay: Duration, from start: Instant, for reason: @autoclosure @escaping @Sendable () -> String? = nil
  ) async -> Bool {
    if delay > .zero {
      await marked(reason) {
        try? await sleep(until: start.advanced(by: min(delay, TimerLimits.longestWait)), tolerance: nil)
      }
    }
    return !Task.isCancelled
  }

  private func marked(_ reason: @Sendable () -> String?, _ sleep: () async -> Void) async {
    if let reason = reason() { await withWaitReason(reason, sleep) } else { await sleep() }
  }
}

extension Duration {
  /// The duration in seconds with up to six decimal digits, such as `0.8 s`.
  package var text: String {
    let (seconds, attoseconds) = (self < .zero ? .zero - self : self).components
    var digits = String(attoseconds / 1_000_000_000_000)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(self < .zero ? "-" : "")\(seconds)\(digits.isEmpty ? "" : ".\(digits)") s"
  }
}
