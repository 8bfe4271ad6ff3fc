import MillraceTesting

/// A clock on which nobody waits, once its gate is open; before that, everybody does.
struct GatedClock: Clock {
  private let gate: Gate
  private let clock = ImmediateClock()

  init(_ gate: Gate) { self.gate = gate }

  var now: TestInstant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
    try await gate.wait()
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
