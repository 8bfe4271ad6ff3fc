import MillraceTesting
import Testing

/// What happens to those who sleep again while time is being moved.
@Suite struct TestClockAdvanceTests {
  let clock = TestClock()

  /// A loop that sleeps a second at a time, counted from its waking, and records when it was woken.
  private func ticker(into ticks: Recorder<Duration>, every interval: Duration = .seconds(1)) -> Task<
    Void, any Error
  > {
    Task { [clock] in
      while true {
        try await clock.sleep(for: interval)
        ticks.append(clock.now.sinceStart)
      }
    }
  }

  @Test("one long step wakes a loop of relative sleeps once")
  func relativeLoop() async throws {
    let ticks = Recorder<Duration>()
    let loop = ticker(into: ticks)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline.sinceStart) == [.seconds(6)])
    #expect(ticks.values == [.seconds(5)])
    loop.cancel()
  }

  @Test("one long step lets a loop of absolute sleeps catch up")
  func absoluteLoop() async throws {
    let ticks = Recorder<Int>()
    let loop = Task { [clock] in
      for second in 1... {
        try await clock.sleep(until: .start + .seconds(second))
        ticks.append(second)
      }
    }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline.sinceStart) == [.seconds(6)])
    #expect(ticks.values == [1, 2, 3, 4, 5])
    loop.cancel()
  }

  @Test("whoever sleeps again within the span of an advance is not asleep after it")
  @MainActor func sleepsAgainWithinSpan() async throws {
    let woken = Recorder<TestInstant>()
    Task {
      try await clock.sleep(until: .start + .seconds(1))
      try await clock.sleep(until: .start + .seconds(2))
      woken.append(clock.now)
    }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    #expect(try await woken.values(atLeast: 1) == [.start + .seconds(3)])
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a settling advance interleaves loops of different lengths as a real clock would")
  func settlingLoops() async throws {
    let (twos, threes) = (Recorder<Duration>(), Recorder<Duration>())
    let loops = [ticker(into: twos, every: .seconds(2)), ticker(into: threes, every: .seconds(3))]
    try await clock.advance(by: .seconds(7)) { try await clock.sleepers(atLeast: 2) }
    #expect(twos.values == [.seconds(2), .seconds(4), .seconds(6)])
    #expect(threes.values == [.seconds(3), .seconds(6)])
    #expect(clock.now == .start + .seconds(7))
    for loop in loops { loop.cancel() }
  }

  @Test("a settling advance settles before the first move, at each due instant and at the end")
  func settlingInstants() async throws {
    let loop = ticker(into: Recorder(), every: .seconds(2))
    var instants: [Duration] = []
    try await clock.advance(by: .seconds(5)) {
      try await clock.sleepers(atLeast: 1)
      instants.append(clock.now.sinceStart)
    }
    #expect(instants == [.zero, .seconds(2), .seconds(4), .seconds(5)])
    loop.cancel()
  }

  @Test("a settling advance that nobody sleeps through goes straight to its end")
  func settlingNobody() async {
    var instants: [Duration] = []
    await clock.advance(by: .seconds(5)) { instants.append(clock.now.sinceStart) }
    #expect(instants == [.zero, .seconds(5)])
    await clock.advance(by: .zero) { instants.append(clock.now.sinceStart) }
    #expect(instants == [.zero, .seconds(5), .seconds(5)])
  }

  @Test("an error of settling stops the advance where it is")
  func settlingThrows() async throws {
    struct Broken: Error {}
    let loop = ticker(into: Recorder())
    await #expect(throws: Broken.self) {
      try await clock.advance(by: .seconds(5)) {
        try await clock.sleepers(atLeast: 1)
        if clock.now == .start + .seconds(2) { throw Broken() }
      }
    }
    #expect(clock.now == .start + .seconds(2))
    clock.advance(by: .seconds(1))
    #expect(clock.now == .start + .seconds(3))
    loop.cancel()
  }
}
