/// A clock for limits of real waiting, on which a sleep lasts until other tasks have had turns as well.
///
/// On a machine that runs many tests at once, a task may stand in line for longer than any limit. A sleeper here
/// stands in the same line some hundred times more, and by then work that only had no turn is done.
struct PatientClock<Base: Clock>: Clock where Base.Duration == Duration {
  let base: Base
  /// How often other tasks get turns once the time has passed.
  let turns: Int

  init(_ base: Base, turns: Int = 200) { (self.base, self.turns) = (base, turns) }

  var now: Base.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Base.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
    // In a task like those of runs. One of the test's has a higher priority, as a rule, and would go before them.
    await withCheckedContinuation { continuation in
      Task.detached { [turns] in
        for _ in 0..<turns { await Task.yield() }
        continuation.resume()
      }
    }
    try Task.checkCancellation()
  }
}
