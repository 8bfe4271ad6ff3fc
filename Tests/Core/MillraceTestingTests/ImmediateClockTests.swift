import MillraceTesting
import Testing

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

  @Test("between two sleeps others on the same actor have their turn")
  @MainActor func fair() async throws {
    let rounds = Recorder<Int>()
    let loop = Task {
      for round in 0..<100 {
        try await clock.sleep(until: .start + .seconds(round))
        rounds.append(round)
      }
    }
    let other = Task { rounds.count }
    #expect(await other.value < 100)
    try await loop.value
    #expect(rounds.count == 100)
  }

  @Test("a loop of sleeps ends when its task is cancelled")
  func cancelledLoop() async throws {
    let rounds = Recorder<TestInstant>()
    let loop = Task { [clock] in
      await outcome {
        while true {
          try await clock.sleep(for: .seconds(1))
          rounds.append(clock.now)
        }
      }
    }
    try await rounds.values(atLeast: 3)
    loop.cancel()
    #expect(await loop.value == .cancelled)
  }
}
