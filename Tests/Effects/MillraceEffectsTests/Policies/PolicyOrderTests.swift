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

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a limit around retries keeps its slot while one of them waits, within them it gives it back")
  func limit() {
    Timeline(
      asks: "a[ab]------",
      begins: "a--[ab]--",
      sends: "2--[ab]--"
    ).check(ScriptedWork(failing: [1])) { retried($0, $0.clock, pause: 3).limited(to: 1) }
    Timeline(
      asks: "a[ab]------",
      begins: "ab-a--",
      sends: "2b-a--"
    ).check(ScriptedWork(failing: [1])) { retried($0.limited(to: 1), $0.clock, pause: 3) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("the time that is spent waiting for a slot counts in a timeout around the limit")
  func timeout() {
    Timeline(
      asks: "a[ab]------",
      begins: "a--b---",
      sends: "---a-!-"
    ).check(ScriptedWork(takes: 3)) {
      $0.limited(to: 1).timingOut(after: .seconds(4), clock: $0.clock, action: { _ in "!" })
    }
    Timeline(
      asks: "a[ab]------",
      begins: "a--b---",
      sends: "---a--b"
    ).check(ScriptedWork(takes: 3)) {
      $0.timingOut(after: .seconds(4), clock: $0.clock, action: { _ in "!" }).limited(to: 1)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a timeout within retries is one for each attempt, around them one for all")
  func timeouts() {
    Timeline(
      asks: "a-------",
      begins: "a--a----",
      sends: "--2--A--"
    ).check(ScriptedWork(takes: 4)) {
      retried(
        $0.timingOut(after: .seconds(2), clock: $0.clock, failure: { _ in ScriptedWork.Failed() }), $0.clock)
    }
    Timeline(
      asks: "a-------",
      begins: "a-------",
      sends: "--A-----"
    ).check(ScriptedWork(takes: 4)) {
      retried($0, $0.clock).timingOut(
        after: .seconds(2), clock: $0.clock, failure: { _ in ScriptedWork.Failed() })
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a breaker around retries counts them as one")
  func breaker() {
    Timeline(
      asks: "a--b-c",
      begins: "aa-bb-",
      sends: "2A-2Bx"
    ).check(ScriptedWork(failing: Set(1...4))) {
      retried($0, $0.clock).guarded(
        by: CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(9), clock: $0.clock),
        action: { _, _ in "x" })
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a debounce within polling counts for each run, and polling around retries tries each round again")
  func polling() {
    Timeline(
      asks: "a-------",
      begins: "--a----a",
      sends: "--a----a"
    ).check(ScriptedWork()) {
      $0.debounced(for: .seconds(2), clock: $0.clock).polled(every: .seconds(3), clock: $0.clock)
    }
    Timeline(
      asks: "a-------",
      begins: "--a--a--",
      sends: "--a--a--"
    ).check(ScriptedWork()) {
      $0.polled(every: .seconds(3), clock: $0.clock).debounced(for: .seconds(2), clock: $0.clock)
    }
    Timeline(
      asks: "a-----",
      begins: "aa---a",
      sends: "2A---a"
    ).check(ScriptedWork(failing: [1, 2])) {
      retried($0, $0.clock).polled(every: .seconds(4), clock: $0.clock)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("debounce and throttle begin what the guide shows")
  func picture() {
    Timeline(
      asks: "abc-----d----",
      begins: "----c-----d--",
      sends: "----c-----d--"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(2), clock: $0.clock) }
    Timeline(
      asks: "abc-----d----",
      begins: "a--c----d----",
      sends: "a--c----d----"
    ).check(ScriptedWork()) { $0.throttled(for: .seconds(3), clock: $0.clock) }
    Timeline(
      asks: "abc-----d----",
      begins: "a-------d----",
      sends: "a-------d----"
    ).check(ScriptedWork()) { $0.throttled(for: .seconds(3), clock: $0.clock, latest: false) }
  }
}
