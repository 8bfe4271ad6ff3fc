import MillraceTesting
import Testing

@Suite struct TestClockTests {
  let clock = TestClock()

  @Test("a sleeper is woken when its deadline comes")
  func documentedExample() async throws {
    let reminder = Task { [clock] in
      try await clock.sleep(for: .seconds(60))
      return "stand up"
    }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(59))
    #expect(clock.sleepers.count == 1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers.isEmpty)
    #expect(try await reminder.value == "stand up")
  }

  @Test("generic code that knows only some clock can sleep on it")
  func existential() async throws {
    let anyClock: any Clock<Duration> = clock
    let task = Task { try await Task.sleep(for: .seconds(1), tolerance: .zero, clock: anyClock) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test("sleeping until an instant that has come returns at once, and advancing to one changes nothing")
  func due() async throws {
    clock.advance(by: .seconds(2))
    try await clock.sleep(until: .start + .seconds(1))
    try await clock.sleep(until: .start + .seconds(2))
    try await clock.sleep(for: .zero)
    clock.advance(to: .start + .seconds(1))
    #expect(clock.now == .start + .seconds(2))
    #expect(TestClock(now: .start + .seconds(5)).now == .start + .seconds(5))
  }

  @Test("each sleeper is woken by the advance that reaches its deadline, whoever came first")
  func order() async throws {
    let woken = Recorder<String>()
    for (number, (name, second)) in [("late", 3), ("tie 1", 2), ("early", 1), ("tie 2", 2)].enumerated() {
      Task {
        try await clock.sleep(until: .start + .seconds(second))
        woken.append(name)
      }
      try await clock.sleepers(atLeast: number + 1)
    }
    clock.advance(by: .seconds(1))
    #expect(try await woken.values(atLeast: 1) == ["early"])
    clock.advance(by: .seconds(1))
    #expect(try await Set(woken.values(atLeast: 3)) == ["early", "tie 1", "tie 2"])
    clock.advance(by: .seconds(1))
    #expect(try await woken.values(atLeast: 4).last == "late")
  }

  @Test("time stands at or after the deadline when a sleeper is woken")
  func nowWhenWoken() async throws {
    let woken = Recorder<(deadline: TestInstant, now: TestInstant)>()
    for second in 1...5 {
      Task { [clock] in
        let deadline = TestInstant.start + .seconds(second)
        try await clock.sleep(until: deadline)
        woken.append((deadline, clock.now))
      }
    }
    try await clock.sleepers(atLeast: 5)
    clock.advance(to: .start + .seconds(3))
    clock.advance(by: .seconds(2))
    #expect(try await woken.values(atLeast: 5).allSatisfy { $0.now >= $0.deadline })
  }

  @Test("running to the next due instant wakes all who are due then and tells which instant it was")
  func nextDue() async throws {
    #expect(clock.advanceToNextDeadline() == nil)
    #expect(clock.now == .start)
    let tasks = [1, 2, 2].map { second in Task { [clock] in try await clock.sleep(for: .seconds(second)) } }
    try await clock.sleepers(atLeast: 3)
    #expect(clock.advanceToNextDeadline() == .start + .seconds(1))
    #expect(clock.sleepers.count == 2)
    #expect(clock.advanceToNextDeadline() == .start + .seconds(2))
    #expect(clock.now == .start + .seconds(2))
    #expect(clock.advanceToNextDeadline() == nil)
    for task in tasks { try await task.value }
  }

  #if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  @Test("advancing by a negative duration is refused")
  func negative() async {
    await #expect(processExitsWith: .failure) {
      TestClock().advance(by: .seconds(-1))
    }
  }
  #endif
}
