import MillraceTesting
import TestSupport
import Testing

@testable import MillraceEffects

@Suite struct PollScheduleTests {
  @Test("at a fixed rate, runs are due at multiples of the interval, to the attosecond, over any length")
  func drift() {
    let interval = Duration(secondsComponent: 0, attosecondsComponent: 100_000_000_000_000_001)
    var schedule = PollSchedule(interval, .fixedRate, nil)
    var now = Duration.zero
    for count in 1...10_000 {
      schedule.elapse(.milliseconds(30))
      now += .milliseconds(30) + schedule.runEnded(failed: false)
      #expect(now == interval * count)
    }
    // What is missed is left out.
    let day = Duration.seconds(86_400)
    schedule.elapse(day - now)
    #expect(day + schedule.runEnded(failed: false) == interval * 864_000)
  }

  @Test("the longest jumps of a clock are counted")
  func farJump() {
    let interval = Duration.milliseconds(1)
    var schedule = PollSchedule(interval, .fixedRate, nil)
    schedule.elapse(.seconds(10_000_000_000_000_000))
    _ = schedule.runEnded(failed: false)  // ends
    for (length, whole, up) in [
      (0, 0, 0), (1, 0, 1), (1_000, 1, 1), (1_001, 1, 2), (-1, -1, 0), (-1_000, -1, -1),
    ] {
      #expect(Duration.microseconds(length).count(of: interval) == whole, "\(length)")
      #expect(Duration.microseconds(length).count(of: interval, rounded: .up) == up, "\(length)")
    }
  }

  @Test(
    "jitter makes runs later by up to its share, each by another, and nothing drifts",
    arguments: PollMode.all)
  func jitter(mode: PollMode) {
    for share in [0.25, 1, 7] {
      var schedule = PollSchedule(.seconds(10), mode, nil, jitter: Backoff(jitter: share, seed: 4))
      var (now, lates) = (Duration.zero, Set<Duration>())
      for count in 1...100 {
        let due = now + schedule.runEnded(failed: false)
        let base = mode == .fixedRate ? .seconds(10) * count : now + .seconds(10)
        let late = due - base
        #expect(late >= .zero && late <= .seconds(10) * min(share, 1))
        lates.insert(late)
        now = due
      }
      #expect(lates.count > 90)
      #expect((lates.max() ?? .zero) > .seconds(9) * min(share, 1))
    }
  }

  @Test("with a backoff, jitter comes on top of the interval and not of the delay")
  func jitterAndBackoff() {
    var schedule = PollSchedule(
      .seconds(10), .fixedDelay, Backoff(first: .seconds(60), cap: .seconds(60), jitter: 0),
      jitter: Backoff(jitter: 1, seed: 4))
    #expect(schedule.runEnded(failed: true) == .seconds(60))
  }

  @Test("an interval that makes no sense counts as the nearest that does", arguments: PollMode.all)
  func nonsense(mode: PollMode) {
    for interval in [Duration.zero, .seconds(-1), .nanoseconds(1)] {
      var schedule = PollSchedule(interval, mode, nil)
      #expect(schedule.runEnded(failed: false) == TimerLimits.shortestInterval)
    }
    var schedule = PollSchedule(.seconds(Int64.max), mode, nil)
    #expect(schedule.runEnded(failed: false) == TimerLimits.longestWait)
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
