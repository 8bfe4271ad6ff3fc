/// A clock for time limits in real time. Its sleeps end only after other tasks have had turns as well.
///
/// On a machine that runs many tests at once, a task may wait for the processor longer than any limit. A sleeper of
/// this clock yields 200 times after its deadline. Work that was only waiting for the processor is then done.
struct PatientClock<Base: Clock>: Clock where Base.Duration == Duration {
  let base: Base
  /// The number of times that the sleeper yields after its deadline.
  let turns: Int

  init(_ base: Base, turns: Int = 200) { (self.base, self.turns) = (base, turns) }

  var now: Base.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Base.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
    // Yields in a detached task, like those of runs. The test's own task usually has a higher priority, and would go
    // first.
    await withCheckedContinuation { continuation in
      Task.detached { [turns] in
        for _ in 0..<turns { await Task.yield() }
        continuation.resume()
      }
    }
    try Task.checkCancellation()
  }
}
