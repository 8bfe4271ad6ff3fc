import MillraceTesting

/// A test clock that tells how often it was asked for the time.
struct ObservedClock: Clock {
  let base = TestClock()
  let questions = Recorder<Void>()

  var now: TestInstant {
    questions.append(())
    return base.now
  }

  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
