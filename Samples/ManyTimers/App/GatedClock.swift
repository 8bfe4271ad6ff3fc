import MillraceTesting

/// A clock whose sleeps end at once after its gate has opened; before that, they wait for the gate.
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
