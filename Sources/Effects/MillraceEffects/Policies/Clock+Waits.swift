import Millrace

extension Clock where Duration == Swift.Duration {
  /// Waits, and returns whether to continue: `false` if the task was cancelled. An error of the clock ends the wait.
  ///
  /// - Parameter reason: the reason for the run's wait. By default none, since other work of the run continues
  ///   meanwhile.
  package func waits(
    _ delay: Duration, for reason: @autoclosure @escaping @Sendable () -> String? = nil
  ) async -> Bool {
    await waits(delay, from: now, for: reason())
  }

  /// Waits until `delay` has passed since `start`, and returns whether to continue.
  package func waits(
    _ delay: Duration, from start: Instant, for reason: @autoclosure @escaping @Sendable () -> String? = nil
  ) async -> Bool {
    guard delay > .zero else { return !Task.isCancelled }
    let end = start.advanced(by: min(delay, TimerLimits.longestWait))
    if let reason = reason() {
      try? await withWaitReason(reason) { try await sleep(until: end, tolerance: nil) }
    } else {
      try? await sleep(until: end, tolerance: nil)
    }
    return !Task.isCancelled
  }
}

extension Duration {
  /// The number of intervals in this duration.
  ///
  /// - Parameter rule: `.down` for whole intervals, or `.up`. At most 1e15, and one more with `.up`.
  func count(of interval: Duration, rounded rule: FloatingPointRoundingRule = .down) -> Int {
    if rule == .up {
      let whole = count(of: interval)
      return interval * whole < self ? whole + 1 : whole
    }
    // The quotient of two durations is a `Double`: an estimate, which exact arithmetic then corrects.
    var whole = Int(min(self / interval, 1e15))
    while interval * whole > self { whole -= 1 }
    while whole < Int(1e15), interval * (whole + 1) <= self { whole += 1 }
    return whole
  }

  /// The duration in seconds with up to six decimal digits, such as `0.8 s`.
  package var text: String {
    let (seconds, attoseconds) = (self < .zero ? .zero - self : self).components
    var digits = String(attoseconds / 1_000_000_000_000)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(self < .zero ? "-" : "")\(seconds)\(digits.isEmpty ? "" : ".\(digits)") s"
  }
}
