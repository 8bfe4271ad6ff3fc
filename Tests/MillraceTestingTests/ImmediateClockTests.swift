import Testing

@testable import MillraceTesting

@Suite struct ImmediateClockTests {
  let clock = ImmediateClock()

  @Test("a sleep ends at once and time moves to its deadline")
  func moves() async throws {
    try await clock.sleep(for: .seconds(3600))
    #expect(clock.now == .start + .seconds(3600))
    try await Task.sleep(for: .seconds(1), clock: clock)
    #expect(clock.now == .start + .seconds(3601))
  }

  @Test("a sleep until an instant that has come leaves time where it is")
  func past() async throws {
    let clock = ImmediateClock(now: .start + .seconds(5))
    try await clock.sleep(until: .start + .seconds(2))
    #expect(clock.now == .start + .seconds(5))
  }

  @Test("a task cancelled before it sleeps is told so and time stays")
  func cancelled() async {
    let task = cancelledTask { [clock] in
      try await clock.sleep(until: .start + .seconds(1))
    }
    #expect(await task.value == .cancelled)
    #expect(clock.now == .start)
  }

  @Test("a loop of sleeps lets others on its actor have their turn, and ends when it is cancelled")
  @MainActor func fair() async {
    let loop = Task {
      await outcome {
        while true { try await clock.sleep(until: clock.now + .seconds(1)) }
      }
    }
    await Task { loop.cancel() }.value
    #expect(await loop.value == .cancelled)
  }
}
