import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct RateLimitedEffectTests {
  @Test("timelines of requests that take tokens")
  func timelines() {
    // A burst as large as the bucket, then one at each interval; those who wait are replaced meanwhile.
    ScriptedWork().plays("abcdef--------ghij-----", begins: "abc-d-f-------ghi-j") {
      $0.rateLimited(by: TokenBucket(capacity: 2, refilledEvery: .seconds(2), clock: $0.clock))
    }

    // Side by side, each has its turn, and none is lost.
    ScriptedWork().plays("a[ab][abc][abcd]------", begins: "a--b--c--d") {
      $0.rateLimited(by: TokenBucket(capacity: 1, refilledEvery: .seconds(3), clock: $0.clock))
    }

    // Who leaves takes nothing, and who comes next has its place.
    ScriptedWork().plays("ab.-c----", begins: "a---c") {
      $0.rateLimited(by: TokenBucket(capacity: 1, refilledEvery: .seconds(3), clock: $0.clock))
    }
  }

  @Test("requests cost what is declared, and at most all of the bucket")
  func costs() {
    ScriptedWork().plays("C-bD-e----", begins: "C-b-De") {
      $0.rateLimited(
        by: TokenBucket(capacity: 3, refilledEvery: .seconds(1), clock: $0.clock),
        cost: { $0.isUppercase ? 9 : 1 })
    }
  }

  @Test("timelines of requests that are refused")
  func refused() {
    ScriptedWork().plays("abcde----", begins: "ab-d", sends: "ab1d2") {
      $0.rateLimited(by: TokenBucket(capacity: 2, refilledEvery: .seconds(3), clock: $0.clock)) { wait, _ in
        Character("\(wait.components.seconds)")
      }
    }
  }

  @Test("one bucket may be shared, and taken from by hand")
  func shared() async {
    let clock = TestClock()
    let bucket = TokenBucket(capacity: 2, refilledEvery: .seconds(5), clock: clock)
    #expect(await bucket.take())
    #expect(bucket.tryTake(2) == .seconds(5))
    #expect(bucket.tryTake(1) == nil)
    #expect(bucket.tryTake(9) == .seconds(10))
    clock.advance(by: .seconds(4))
    #expect(bucket.tryTake() == .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(bucket.tryTake() == nil)
    clock.advance(by: .seconds(1_000))
    #expect(bucket.tryTake(2) == nil)
    #expect(bucket.tryTake() == .seconds(5))
    #expect(bucket.tryTake(0) == nil)
    #expect(bucket.tryTake(-1) == nil)
    #expect(bucket.tryTake() == .seconds(5))
  }

  @Test("what makes no sense limits nothing, or as little as it can")
  func nonsense() async {
    let clock = TestClock()
    for interval in [Duration.zero, .seconds(-1)] {
      let bucket = TokenBucket(capacity: 0, refilledEvery: interval, clock: clock)
      for _ in 1...5 { #expect(bucket.tryTake(.max) == nil) }
    }
    let bucket = TokenBucket(capacity: .max, refilledEvery: .seconds(Int64.max), clock: clock)
    #expect(bucket.tryTake(.max) == nil)
    #expect(bucket.tryTake() == TimerLimits.longestWait)
  }

  @Test("under a storm, no stretch of time has more than the bucket allows")
  func storm() async {
    let clock = TestClock()
    let bucket = TokenBucket(capacity: 3, refilledEvery: .seconds(1), clock: clock)
    let begun = Recorder<Duration>()
    await withTaskGroup { group in
      for _ in 1...40 {
        group.addTask { if await bucket.take() { begun.append(clock.now.sinceStart) } }
      }
      while begun.count < 40 {
        // Each has noted its time before that goes on: all others wait behind the one that sleeps.
        if let due = clock.sleepers.first?.deadline, begun.count + bucket.waiting == 39 {
          clock.advance(to: due)
        }
        await Task.yield()
      }
    }
    let times = begun.values.sorted()
    for (early, late) in zip(times, times.dropFirst(3)) { #expect(late - early >= .seconds(1)) }
    #expect(times.last == .seconds(37))
    #expect(bucket.waiting == 0)
  }
}
