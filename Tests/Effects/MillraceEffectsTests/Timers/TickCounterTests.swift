import Testing

@testable import MillraceEffects

@Suite struct TickCounterTests {
  private func ticks(
    _ schedule: TimerSchedule, tolerance: Duration? = nil
  ) throws(TimerRefusal) -> TickCounter {
    try TickCounter(schedule, tolerance: tolerance)
  }

  @Test(
    "a schedule that cannot be kept is refused with the reason",
    arguments: [
      (.every(.zero), .intervalIsZero),
      (.every(.seconds(-1)), .negative(.seconds(-1))),
      (.every(.nanoseconds(1)), .tooShort(.nanoseconds(1))),
      (.every(.seconds(Int64.max)), .tooLong(.seconds(Int64.max))),
      (.after(.seconds(-1)), .negative(.seconds(-1))),
      (.after(.seconds(Int64.max)), .tooLong(.seconds(Int64.max))),
    ] as [(TimerSchedule, TimerRefusal)])
  func refusal(schedule: TimerSchedule, reason: TimerRefusal) {
    #expect(throws: reason) { try ticks(schedule) }
  }

  @Test("a negative tolerance is refused")
  func negativeTolerance() {
    #expect(throws: TimerRefusal.negativeTolerance(.seconds(-1))) {
      try ticks(.after(.seconds(1)), tolerance: .seconds(-1))
    }
  }

  @Test("the shortest interval and the longest wait are accepted")
  func limits() throws {
    #expect(try ticks(.every(TimerLimits.shortestInterval)).next == .milliseconds(1))
    #expect(try ticks(.after(TimerLimits.longestWait)).next == TimerLimits.longestWait)
  }

  @Test("however late each waking is, due instants are multiples of the interval from the start")
  func noDrift() throws {
    var generator = SystemRandomNumberGenerator()
    var counter = try ticks(.every(.milliseconds(7), missed: .coalesce))
    var (now, reported) = (Duration.zero, 0)
    for _ in 0..<1_000 {
      let due = try #require(counter.next)
      now = max(now, due) + .microseconds(Int.random(in: 0...30_000, using: &generator))
      let woken = counter.woke(at: now)
      let tick = try #require(woken)
      reported += 1 + tick.missed
      #expect(tick.count == reported)
      #expect(tick.due == .milliseconds(7) * tick.count)
      #expect(tick.due <= now && now < tick.due + .milliseconds(7))
    }
  }

  @Test("a gap of a hundred years at the shortest interval is counted exactly, without a tick for each")
  func longGap() throws {
    var counter = try ticks(.every(.milliseconds(1), missed: .coalesce))
    let woken = counter.woke(at: TimerLimits.longestWait)
    let tick = try #require(woken)
    #expect(tick.count == 100 * 365 * 86_400 * 1_000)
    #expect(tick.missed == tick.count - 1)
    #expect(counter.next == TimerLimits.longestWait + .milliseconds(1))
  }

  @Test("catching up tells every tick that was missed, each with its own due instant")
  func catchUp() throws {
    var counter = try ticks(.every(.seconds(1), missed: .catchUp))
    for count in 1...3 {
      let tick = counter.woke(at: .seconds(3.5))
      #expect(tick == TimerTick(count: count, due: .seconds(count)))
    }
    #expect(counter.next == .seconds(4))
  }
}
