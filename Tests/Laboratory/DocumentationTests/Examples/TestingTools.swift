import MillraceTesting
import Testing

@Suite struct TestingToolExamples {
  @Test("a gate holds up a load")
  func gate() async throws {
    // Gate
    let gate = Gate()
    let loading = Task {
      try await gate.wait()
      return "page"
    }
    try await gate.waiters(atLeast: 1)  // the load has begun, and goes no further
    gate.open()
    #expect(try await loading.value == "page")
  }

  @Test("a stream that the test feeds")
  func stream() async throws {
    // TestStream
    let prices = TestStream<Int>()
    let reading = Task { await prices.first { $0 > 1 } }
    prices.send(1)
    prices.send(2)
    prices.finish()
    #expect(await reading.value == 2)
  }

  @Test("a recorder gives what it was given")
  func recorder() async throws {
    // Recorder
    let lines = Recorder<String>()
    Task { lines.append("ready") }
    #expect(try await lines.values(atLeast: 1) == ["ready"])
  }

  @Test("a test clock wakes those who are due")
  func clock() async throws {
    // TestClock
    let clock = TestClock()
    let reminder = Task {
      try await clock.sleep(for: .seconds(60))
      return "stand up"
    }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    #expect(try await reminder.value == "stand up")
  }

  @Test("a test clock is moved from one due instant to the next")
  func settling() async throws {
    let clock = TestClock()
    // TestClock.advance(by:settling:)
    let ticks = Recorder<TestInstant>()
    let ticking = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        ticks.append(clock.now)
      }
    }
    try await clock.advance(by: .seconds(3)) { try await clock.sleepers(atLeast: 1) }
    #expect(ticks.values.map(\.sinceStart) == [.seconds(1), .seconds(2), .seconds(3)])
    ticking.cancel()
    // TestInstant
    #expect(clock.now == .start + .seconds(3))
  }

  @Test("an immediate clock makes nobody wait")
  func immediate() async throws {
    // ImmediateClock
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(3600))
    #expect(clock.now == .start + .seconds(3600))
  }
}
