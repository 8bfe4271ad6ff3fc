import MillraceTesting
import Testing

@Suite struct TestClockSleepersTests {
  let clock = TestClock()

  @Test("sleepers are listed in the order in which they will be woken, with tolerance and name")
  func listed() async throws {
    Task(name: "slow") { [clock] in try await clock.sleep(for: .seconds(9)) }
    Task(name: "poll") { [clock] in try await clock.sleep(for: .seconds(2), tolerance: .milliseconds(500)) }
    let sleepers = try await clock.sleepers(atLeast: 2)
    #expect(sleepers == clock.sleepers)
    #expect(sleepers.map(\.name) == ["poll", "slow"])
    #expect(sleepers.map(\.deadline.sinceStart) == [.seconds(2), .seconds(9)])
    #expect(sleepers.map(\.tolerance) == [.milliseconds(500), nil])
    clock.advance(by: .seconds(9))
  }

  @Test("a clock and its sleepers print readably")
  func printing() async throws {
    #expect("\(clock)" == "TestClock at 0.0 seconds: nobody sleeps")
    Task(name: "poll") { [clock] in try await clock.sleep(for: .seconds(2), tolerance: .milliseconds(500)) }
    try await clock.sleepers(atLeast: 1)
    Task { [clock] in try await clock.sleep(for: .seconds(3)) }
    let sleepers = try await clock.sleepers(atLeast: 2)
    #expect("\(sleepers)" == "[poll until 2.0 seconds (tolerance 0.5 seconds), a task until 3.0 seconds]")
    #expect(
      "\(clock)"
        == "TestClock at 0.0 seconds: poll until 2.0 seconds (tolerance 0.5 seconds), a task until 3.0 seconds"
    )
    clock.advance(by: .seconds(3))
  }

  @Test("each of several watchers is resumed at its own number")
  func watchers() async throws {
    let reached = Recorder<Int>()
    for count in [1, 3] {
      Task { [clock] in
        try await clock.sleepers(atLeast: count)
        reached.append(count)
      }
    }
    Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    #expect(try await reached.values(atLeast: 1) == [1])
    Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await clock.sleepers(atLeast: 2)
    #expect(reached.values == [1])
    Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    #expect(try await reached.values(atLeast: 2) == [1, 3])
    clock.advance(by: .seconds(1))
  }
}
