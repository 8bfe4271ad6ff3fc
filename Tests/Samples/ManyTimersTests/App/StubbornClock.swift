import MillraceTesting

/// A clock whose sleepers heed no cancellation: only the gate lets them on.
struct StubbornClock: Clock {
  let gate = Gate()
  let now = TestInstant.start
  let minimumResolution = Duration.zero

  func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
    await gate.waitIgnoringCancellation()
  }
}
