import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceEffects

@Suite struct GuardedEffectTests {
  private func breaker(_ clock: TestClock) -> CircuitBreaker {
    CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(4), clock: clock)
  }

  private func guarded<Base: Scripted>(_ base: Base) -> GuardedEffect<Base> {
    base.guarded(by: breaker(base.clock), action: { _, _ in "x" })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of requests behind a breaker that opens after two failures for four seconds")
  func timelines() {
    // By rate: two of the last four, once there are three.
    Timeline(
      asks: "abcdefgh---ij",
      begins: "abcdef-----ij",
      sends: "AbcdEFxx---ij"
    ).check(ScriptedWork(failing: [1, 5, 6])) {
      $0.guarded(
        by: CircuitBreaker(
          failureRate: 0.5, ofLast: 4, minimum: 3, resetTimeout: .seconds(6), clock: $0.clock),
        action: { _, _ in "x" })
    }

    // Refused while it is open; then one is tried, and lets the others through.
    Timeline(
      asks: "abcd---ef",
      begins: "ab-----ef",
      sends: "ABxx---ef"
    ).check(ScriptedWork(failing: [1, 2])) { guarded($0) }

    // A trial that fails opens it for another four.
    Timeline(
      asks: "ab---ef--g--",
      begins: "ab---e---g--",
      sends: "AB---Ex--g--"
    ).check(ScriptedWork(failing: [1, 2, 3])) { guarded($0) }

    // Others are refused while one is tried, and let through when that went well.
    Timeline(
      asks: "a---b-------c[cd]-[cdf]---",
      begins: "a---b-------c--f--",
      sends: "--A---B------xc--f"
    ).check(ScriptedWork(failing: [1, 2], takes: 2)) { guarded($0) }

    // A trial that is stopped makes way for another.
    Timeline(
      asks: "a---b-------cd[de]-----",
      begins: "a---b-------cd-------",
      sends: "--A---B-------xd"
    ).check(ScriptedWork(failing: [1, 2], takes: 2)) { guarded($0) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of what counts as a failure")
  func counting() {
    // What does not count tells that all is well.
    Timeline(
      asks: "abcdef",
      begins: "abcdef",
      sends: "ABCDEF"
    ).check(ScriptedWork(failing: Set(1...9))) {
      $0.guarded(by: breaker($0.clock), counting: { _ in false }, action: { _, _ in "x" })
    }

    // So it starts the count anew: a and c are not two in a row.
    let failures = Lock(0)
    Timeline(
      asks: "abcd",
      begins: "abcd",
      sends: "ABCd"
    ).check(ScriptedWork(failing: [1, 2, 3])) {
      $0.guarded(
        by: breaker($0.clock),
        counting: { _ in
          failures.withLock {
            $0 += 1
            return $0 != 2
          }
        }, action: { _, _ in "x" })
    }

    // One that was stopped tells nothing: neither does b count as a failure, nor does it start the count anew.
    Timeline(
      asks: "a--bc--d",
      begins: "a--bc---",
      sends: "--A---Cx"
    ).check(ScriptedWork(failing: [1, 3], takes: 2)) { guarded($0) }

    // A timeout counts if it is a failure, and the breaker is around it.
    Timeline(
      asks: "a--b--c--",
      begins: "a--b-----",
      sends: "--A--Bx--"
    ).check(ScriptedWork(takes: 3)) {
      $0.timeout(.seconds(2), clock: $0.clock, failure: { _ in ScriptedWork.Failed() })
        .guarded(by: breaker($0.clock), action: { _, _ in "x" })
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of refusals that are failures")
  func failures() {
    Timeline(
      asks: "abc",
      begins: "ab-",
      sends: "ABC"
    ).check(ScriptedWork(failing: [1, 2])) {
      $0.guarded(by: breaker($0.clock), failure: { _, _ in ScriptedWork.Failed() })
    }
    // Retries around it go on once it lets them through; with an action they would end.
    Timeline(
      asks: "a--------",
      begins: "a-a---a--",
      sends: "2-3-4-a--"
    ).check(ScriptedWork(failing: [1, 2])) {
      $0.guarded(by: breaker($0.clock), failure: { _, _ in ScriptedWork.Failed() })
        .retried(times: 8, by: Backoff(first: .seconds(2), factor: 1, jitter: 0), clock: $0.clock) {
          retry, _ in
          Character("\(retry.attempt)")
        }
    }
    Timeline(
      asks: "a--------",
      begins: "a-a------",
      sends: "2-3-x----"
    ).check(ScriptedWork(failing: [1, 2])) {
      guarded($0).retried(times: 8, by: Backoff(first: .seconds(2), factor: 1, jitter: 0), clock: $0.clock) {
        retry, _ in
        Character("\(retry.attempt)")
      }
    }
  }

  @Test("one breaker counts the failures of all the effects that share it")
  func shared() async throws {
    let (work, sent) = (ScriptedWork(failing: [1, 2]), Recorder<Character>())
    let breaker = breaker(work.clock)
    let effects = (1...3).map { _ in work.guarded(by: breaker, action: { _, _ in "x" }) }
    for effect in effects.prefix(2) { try? await effect.run("a", send: .recording(into: sent)) }
    #expect(breaker.state == .open)
    try await effects[2].run("a", send: .recording(into: sent))
    #expect(sent.values == ["x"])
  }

  @Test("the state is told of the states that the breaker comes to, and of the present one to begin with")
  func states() async throws {
    let work = ScriptedWork(failing: [1, 2])
    let breaker = breaker(work.clock)
    let effect = work.guarded(by: breaker, action: { _, _ in "x" })
    let store = Store<[CircuitState], CircuitState>(initialState: [], on: .immediate) { states, state in
      states.append(state)
    }
    let told = Recorder<Int>()
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    let watching = store.connect(when: { _ in Optional("circuit") }, background: true) { _, send in
      for await state in breaker.states {
        await send(state)
        told.append(told.count)
      }
    }
    try await told.values(count: 1)
    for _ in 1...2 { try? await effect.run("a", send: .recording(into: Recorder())) }
    try await told.values(count: 2)
    work.clock.advance(by: .seconds(4))
    try await effect.run("a", send: .recording(into: Recorder()))
    try await eventually { store.state.last == .closed }
    // Half open and closed again in one go: only the newest is sure to be told.
    #expect(Array(store.state.prefix(2)) == [.closed, .open])
    watching.disconnect()
    await watching.finished()
    #expect(breaker.watcherCount == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a state that the breaker has left and come back to in one go is not told again")
  func sameState() throws {
    let (clock, executor, told) = (TestClock(), ManualExecutor(), Recorder<CircuitState>())
    let breaker = breaker(clock)
    let watching = Task.detached(executorPreference: executor) {
      for await state in breaker.states { told.append(state) }
    }
    func run(_ outcome: Circuit.Outcome) throws { breaker.ended(try breaker.requestArrived().get(), outcome) }
    executor.drain()
    for _ in 1...2 { try run(.failed) }
    executor.drain()
    clock.advance(by: .seconds(4))
    try run(.failed)
    executor.drain()
    clock.advance(by: .seconds(4))
    try run(.well)
    executor.drain()
    #expect(told.values == [.closed, .open, .closed])
    watching.cancel()
    executor.drain()
    #expect(breaker.watcherCount == 0)
  }
}
