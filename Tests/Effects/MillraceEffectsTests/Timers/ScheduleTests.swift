import MillraceTesting
import TestSupport
import Testing

@testable import MillraceEffects

@Suite struct PollScheduleTests {
  private func schedule(
    _ interval: Duration, _ mode: PollMode, _ backoff: Backoff? = nil
  ) -> PollSchedule<TestInstant> {
    PollSchedule(interval, mode, backoff, start: .start)
  }

  @Test("at a fixed rate, runs are due at multiples of the interval, to the attosecond, over any length")
  func drift() {
    let interval = Duration(secondsComponent: 0, attosecondsComponent: 100_000_000_000_000_001)
    var schedule = schedule(interval, .fixedRate)
    var now = TestInstant.start
    for count in 1...10_000 {
      let due = schedule.runEnded(failed: false, at: now + .milliseconds(30))
      #expect(due == .start + interval * count)
      now = due
    }
    // What is missed is left out.
    let day = Duration.seconds(86_400)
    #expect(schedule.runEnded(failed: false, at: .start + day) == .start + interval * 864_000)
  }

  @Test(
    "jitter makes runs later by up to its share, each by another, and nothing drifts",
    arguments: PollMode.all)
  func jitter(mode: PollMode) {
    for share in [0.25, 1, 7] {
      var schedule = PollSchedule<TestInstant>(
        .seconds(10), mode, nil, jitter: Backoff(jitter: share, seed: 4), start: .start)
      var (now, lates) = (TestInstant.start, Set<Duration>())
      for count in 1...100 {
        let due = schedule.runEnded(failed: false, at: now)
        let base = mode == .fixedRate ? TestInstant.start + .seconds(10) * count : now + .seconds(10)
        let late = base.duration(to: due)
        #expect(late >= .zero && late <= .seconds(10) * min(share, 1))
        lates.insert(late)
        // With the whole interval as jitter, a run may be later than the next one's multiple.
        now = mode == .fixedRate ? base : due
      }
      #expect(lates.count > 90)
      #expect((lates.max() ?? .zero) > .seconds(9) * min(share, 1))
    }
  }

  @Test("with a backoff, jitter comes on top of the interval and not of the delay")
  func jitterAndBackoff() {
    var schedule = PollSchedule<TestInstant>(
      .seconds(10), .fixedDelay, Backoff(first: .seconds(60), cap: .seconds(60), jitter: 0),
      jitter: Backoff(jitter: 1, seed: 4), start: .start)
    #expect(schedule.runEnded(failed: true, at: .start) == .start + .seconds(60))
  }

  @Test("an interval that makes no sense counts as the nearest that does", arguments: PollMode.all)
  func nonsense(mode: PollMode) {
    for interval in [Duration.zero, .seconds(-1), .nanoseconds(1)] {
      var schedule = schedule(interval, mode)
      #expect(schedule.runEnded(failed: false, at: .start) == .start + TimerLimits.shortestInterval)
    }
    var schedule = schedule(.seconds(Int64.max), mode)
    #expect(schedule.runEnded(failed: false, at: .start) == .start + TimerLimits.longestWait)
  }
}

@Suite struct TickCounterTests {
  @Test("however late each waking is, due instants are multiples of the interval from the start")
  func noDrift() throws {
    var generator = SeededGenerator(seed: 1)
    var counter = try TickCounter(.every(.milliseconds(7), missed: .coalesce), tolerance: nil)
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
    var counter = try TickCounter(.every(.milliseconds(1), missed: .coalesce), tolerance: nil)
    let woken = counter.woke(at: TimerLimits.longestWait)
    let tick = try #require(woken)
    #expect(tick.count == 100 * 365 * 86_400 * 1_000)
    #expect(tick.missed == tick.count - 1)
    #expect(counter.next == TimerLimits.longestWait + .milliseconds(1))
  }
}

extension PollMode {
  static let all: [PollMode] = [.fixedDelay, .fixedRate]
}
