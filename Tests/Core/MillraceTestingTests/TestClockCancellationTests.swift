import MillraceTesting
import Testing

@Suite struct TestClockCancellationTests {
  let clock = TestClock()

  @Test("a task cancelled before it sleeps does not sleep, and is told so, also when the instant has come")
  func early() async {
    for second in 0...1 {
      let task = cancelledTask { [clock] in try await clock.sleep(until: .start + .seconds(second)) }
      #expect(await task.value == .cancelled)
    }
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a sleeping task that is cancelled is woken at once, and others sleep on")
  func whileAsleep() async throws {
    let other = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await clock.sleepers(atLeast: 1)
    let task = Task { [clock] in
      await outcome { try await clock.sleep(until: .start + .seconds(2)) }
    }
    try await clock.sleepers(atLeast: 2)
    task.cancel()
    #expect(clock.sleepers.map(\.deadline) == [.start + .seconds(1)])
    #expect(await task.value == .cancelled)
    #expect(clock.now == .start)
    clock.advance(by: .seconds(1))
    try await other.value
  }

  @Test("a task cancelled after it was woken has slept as usual")
  func late() async throws {
    let task = Task { [clock] in
      await outcome { try await clock.sleep(until: .start + .seconds(1)) }
    }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    task.cancel()
    #expect(await task.value == .done)
  }

  @Test("waiting for sleepers ends when the task is cancelled")
  func watcher() async {
    let early = cancelledTask { [clock] in
      try await clock.sleepers(atLeast: 1)
    }
    #expect(await early.value == .cancelled)
    let task = Task { [clock] in
      await outcome { try await clock.sleepers(atLeast: 1) }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}
