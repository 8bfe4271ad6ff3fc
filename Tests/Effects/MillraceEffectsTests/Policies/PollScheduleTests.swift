import MillraceTesting
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
  }

  @Test(
    "at a fixed rate, what is missed is left out, and a run that ends just when the next is due is in time")
  func missed() {
    var schedule = schedule(.seconds(3), .fixedRate)
    #expect(schedule.runEnded(failed: false, at: .start + .seconds(3)) == .start + .seconds(3))
    #expect(schedule.runEnded(failed: false, at: .start + .seconds(3)) == .start + .seconds(6))
    #expect(schedule.runEnded(failed: false, at: .start + .seconds(100)) == .start + .seconds(102))
    let day = Duration.seconds(86_400)
    #expect(schedule.runEnded(failed: false, at: .start + day * 365_000) == .start + day * 365_000)
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

  @Test(
    "a backoff is the least that is waited after failures in a row, and is over with the first that goes well"
  )
  func backoff() {
    var schedule = schedule(.seconds(2), .fixedDelay, Backoff(first: .seconds(1), factor: 4, jitter: 0))
    #expect(schedule.runEnded(failed: true, at: .start) == .start + .seconds(2))
    #expect(schedule.runEnded(failed: true, at: .start) == .start + .seconds(4))
    #expect(schedule.runEnded(failed: true, at: .start) == .start + .seconds(16))
    #expect(schedule.runEnded(failed: false, at: .start) == .start + .seconds(2))
    #expect(schedule.runEnded(failed: true, at: .start) == .start + .seconds(2))
  }
}

extension PollMode {
  static let all: [PollMode] = [.fixedDelay, .fixedRate]
}
