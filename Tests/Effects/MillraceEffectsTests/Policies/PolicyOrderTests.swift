import Millrace
import MillraceEffects
import MillraceTesting
import Testing

/// What the guide says of policies around each other.
@Suite struct PolicyOrderTests {
  private func retried<Base: EffectComponent>(_ base: Base, _ clock: TestClock, pause: Int = 1)
    -> RetriedEffect<Base, TestClock>
  where Base.Action == Character {
    base.retried(times: 1, by: Backoff(first: .seconds(pause), jitter: 0), clock: clock) { _, _ in "2" }
  }

  @Test("a limit around retries keeps its slot while one of them waits, within them it gives it back")
  func limit() {
    ScriptedWork(failing: [1]).plays("a[ab]------", begins: "a--[ab]", sends: "2--[ab]") {
      retried($0, $0.clock, pause: 3).limited(to: 1)
    }
    ScriptedWork(failing: [1]).plays("a[ab]------", begins: "ab-a", sends: "2b-a") {
      retried($0.limited(to: 1), $0.clock, pause: 3)
    }
  }

  @Test("the time that is spent waiting for a slot counts in a timeout around the limit")
  func timeout() {
    ScriptedWork(takes: 3).plays("a[ab]------", begins: "a--b", sends: "---a-!") {
      $0.limited(to: 1).timingOut(after: .seconds(4), clock: $0.clock, action: { _ in "!" })
    }
    ScriptedWork(takes: 3).plays("a[ab]------", begins: "a--b", sends: "---a--b") {
      $0.timingOut(after: .seconds(4), clock: $0.clock, action: { _ in "!" }).limited(to: 1)
    }
  }

  @Test("a timeout within retries is one for each attempt, around them one for all")
  func timeouts() {
    ScriptedWork(takes: 4).plays("a-------", begins: "a--a", sends: "--2--A") {
      retried(
        $0.timingOut(after: .seconds(2), clock: $0.clock, failure: { _ in ScriptedWork.Failed() }), $0.clock)
    }
    ScriptedWork(takes: 4).plays("a-------", begins: "a", sends: "--A") {
      retried($0, $0.clock).timingOut(
        after: .seconds(2), clock: $0.clock, failure: { _ in ScriptedWork.Failed() })
    }
  }

  @Test("a breaker around retries counts them as one")
  func breaker() {
    ScriptedWork(failing: Set(1...4)).plays("a--b-c", begins: "aa-bb", sends: "2A-2Bx") {
      retried($0, $0.clock).guarded(
        by: CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(9), clock: $0.clock),
        action: { _, _ in "x" })
    }
  }

  @Test("a debounce within polling counts for each run, and polling around retries tries each round again")
  func polling() {
    ScriptedWork().plays("a-------", begins: "--a----a") {
      $0.debounced(for: .seconds(2), clock: $0.clock).polled(every: .seconds(3), clock: $0.clock)
    }
    ScriptedWork().plays("a-------", begins: "--a--a") {
      $0.polled(every: .seconds(3), clock: $0.clock).debounced(for: .seconds(2), clock: $0.clock)
    }
    ScriptedWork(failing: [1, 2]).plays("a-----", begins: "aa---a", sends: "2A---a") {
      retried($0, $0.clock).polled(every: .seconds(4), clock: $0.clock)
    }
  }
}
