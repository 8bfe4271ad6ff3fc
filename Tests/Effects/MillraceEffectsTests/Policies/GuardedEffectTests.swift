import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct GuardedEffectTests {
  private func breaker(_ clock: TestClock) -> CircuitBreaker {
    CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(4), clock: clock)
  }

  private func breakers(_ clock: TestClock) -> CircuitBreakers<Int> {
    CircuitBreakers { _ in breaker(clock) }
  }

  private func guarded<Base: Scripted>(_ base: Base) -> GuardedEffect<Base> {
    base.guarded(by: breaker(base.clock), action: { _, _ in "x" })
  }

  @Test("timelines of requests behind a breaker that opens after two failures for four seconds")
  func timelines() {
    // By rate: two of the last four, once there are three.
    ScriptedWork(failing: [1, 5, 6]).plays("abcdefgh---ij", begins: "abcdef-----ij", sends: "AbcdEFxx---ij") {
      $0.guarded(
        by: CircuitBreaker(
          failureRate: 0.5, ofLast: 4, minimum: 3, resetTimeout: .seconds(6), clock: $0.clock),
        action: { _, _ in "x" })
    }

    // Refused while it is open; then one is tried, and lets the others through.
    ScriptedWork(failing: [1, 2]).plays("abcd---ef", begins: "ab-----ef", sends: "ABxx---ef") { guarded($0) }

    // A trial that fails opens it for another four.
    ScriptedWork(failing: [1, 2, 3]).plays("ab---ef--g--", begins: "ab---e---g", sends: "AB---Ex--g") {
      guarded($0)
    }

    // Others are refused while one is tried, and let through when that went well.
    ScriptedWork(failing: [1, 2], takes: 2).plays(
      "a---b-------c[cd]-[cdf]---", begins: "a---b-------c--f", sends: "--A---B------xc--f"
    ) { guarded($0) }

    // A trial that is stopped makes way for another.
    ScriptedWork(failing: [1, 2], takes: 2).plays(
      "a---b-------cd[de]-----", begins: "a---b-------cd", sends: "--A---B-------xd"
    ) { guarded($0) }
  }

  @Test("timelines of what counts as a failure")
  func counting() {
    // What does not count tells that all is well.
    ScriptedWork(failing: Set(1...9)).plays("abcdef", begins: "abcdef", sends: "ABCDEF") {
      $0.guarded(by: breaker($0.clock), counting: { _ in false }, action: { _, _ in "x" })
    }

    // So it starts the count anew: a and c are not two in a row.
    let failures = Lock(0)
    ScriptedWork(failing: [1, 2, 3]).plays("abcd", begins: "abcd", sends: "ABCd") {
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
    ScriptedWork(failing: [1, 3], takes: 2).plays("a--bc--d", begins: "a--bc", sends: "--A---Cx") {
      guarded($0)
    }

    // A timeout counts if it is a failure, and the breaker is around it.
    ScriptedWork(takes: 3).plays("a--b--c--", begins: "a--b", sends: "--A--Bx") {
      $0.timingOut(after: .seconds(2), clock: $0.clock, failure: { _ in ScriptedWork.Failed() })
        .guarded(by: breaker($0.clock), action: { _, _ in "x" })
    }
  }

  @Test("timelines of refusals that are failures, and of a breaker for each key")
  func failures() {
    ScriptedWork(failing: [1, 3]).plays("axbxc-x--d", begins: "axbx--x--d", sends: "AxBx!-x--d") {
      $0.guarded(by: breakers($0.clock), per: { $0 < "g" ? 0 : 1 }, action: { _, _ in "!" })
    }
    ScriptedWork(failing: [1, 2]).plays("abc--", begins: "ab", sends: "ABC") {
      $0.guarded(by: breakers($0.clock), per: { _ in 1 }, failure: { _, _ in ScriptedWork.Failed() })
    }
    ScriptedWork(failing: [1, 2]).plays("abc", begins: "ab", sends: "ABC") {
      $0.guarded(by: breaker($0.clock), failure: { _, _ in ScriptedWork.Failed() })
    }
    // Retries around it go on once it lets them through; with an action they would end.
    ScriptedWork(failing: [1, 2]).plays("a--------", begins: "a-a---a", sends: "2-3-4-a") {
      $0.guarded(by: breaker($0.clock), failure: { _, _ in ScriptedWork.Failed() })
        .retried(times: 8, by: Backoff(first: .seconds(2), factor: 1, jitter: 0), clock: $0.clock) {
          retry, _ in
          Character("\(retry.attempt)")
        }
    }
    ScriptedWork(failing: [1, 2]).plays("a--------", begins: "a-a", sends: "2-3-x") {
      guarded($0).retried(times: 8, by: Backoff(first: .seconds(2), factor: 1, jitter: 0), clock: $0.clock) {
        retry, _ in
        Character("\(retry.attempt)")
      }
    }
  }

  /// Answers even numbers, and fails to serve odd ones.
  private struct Service: EffectComponent {
    struct Broken: Error {}

    enum Event: Hashable, Sendable {
      case progress(Int)
      case answer(Int)
      case failed(Int)
      case refused(Int)
      case ask(Set<Int>)
    }

    /// What a run does after it has told of its progress, before it looks whether it was stopped.
    var continues: @Sendable () async -> Void = {}

    func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

    func run(_ number: Int, send: Send<Event>) async throws(Broken) {
      await send(.progress(number))
      await continues()
      if Task.isCancelled { return }
      if number % 2 == 1 { throw Broken() }
      await send(.answer(number))
    }

    func action(for failure: Broken, of number: Int) -> Event { .failed(number) }
  }

  /// A store whose requests leave the state with their results, and the results.
  private func store(
    _ service: Service, _ breaker: CircuitBreaker, on queue: ReducerQueue
  ) -> (Store<Set<Int>, Service.Event>, Recorder<Service.Event>) {
    let reported = Recorder<Service.Event>()
    let store = Store<Set<Int>, Service.Event>(initialState: [], on: queue) { numbers, event in
      switch event {
      case .ask(let asked): numbers = asked
      case .progress: break
      case .answer(let number), .failed(let number), .refused(let number):
        numbers.remove(number)
        reported.append(event)
      }
    }
    store.connect(service.guarded(by: breaker, action: { _, number in .refused(number) }), to: \.self)
    return (store, reported)
  }

  /// Has two runs fail behind a breaker.
  private func open(_ breaker: CircuitBreaker) async {
    let effect = Service().guarded(by: breaker, action: { _, number in .refused(number) })
    for _ in 1...2 { try? await effect.run(1, send: .recording(into: Recorder())) }
    #expect(breaker.state == .open)
  }

  @Test(
    "a run whose result makes its request leave the state has gone well",
    arguments: [ReducerQueue.serial(), .immediate])
  func answered(queue: ReducerQueue) async {
    let clock = TestClock()
    let breaker = breaker(clock)
    let (store, reported) = store(Service(), breaker, on: queue)
    func ask(_ number: Int) async {
      store.dispatch(.ask([number]))
      await store.settled()
    }
    for number in 1...20 { await ask(number) }
    let expected: [Service.Event] = (1...20).map { $0 % 2 == 1 ? .failed($0) : .answer($0) }
    #expect(reported.values == expected)
    #expect(breaker.state == .closed)
    for number in [21, 23, 24] { await ask(number) }
    #expect(reported.values.suffix(1) == [.refused(24)])
    clock.advance(by: .seconds(4))
    await ask(26)
    #expect(reported.values.suffix(1) == [.answer(26)])
    #expect(breaker.state == .closed)
  }

  @Test("a run that is withdrawn tells nothing, also if it has sent something")
  func withdrawn() async throws {
    let (clock, gate) = (TestClock(), Gate())
    let breaker = breaker(clock)
    await open(breaker)
    clock.advance(by: .seconds(4))
    let (store, reported) = store(
      Service(continues: { await gate.waitIgnoringCancellation() }), breaker, on: .serial())
    store.dispatch(.ask([2]))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.ask([]))
    gate.open()
    await store.settled()
    #expect(reported.values.isEmpty)
    #expect(breaker.state == .halfOpen)
  }

  @Test("an attempt that was given up for another one's answer tells nothing")
  func hedged() async throws {
    let (clock, gate, beginners) = (TestClock(), Gate(), Lock(0))
    let breaker = CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(4), trials: 2, clock: clock)
    await open(breaker)
    clock.advance(by: .seconds(4))
    let reported = Recorder<Int>()
    let store = Store<Set<Int>, WorkEffect.Action>(initialState: [1], on: .serial()) { numbers, action in
      if case .done(let number) = action { reported.append(number) }
      numbers = []
    }
    let work = Effect { (number: Int, send: Send<WorkEffect.Action>) in
      let isFirst = beginners.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst, (try? await gate.wait()) == nil { return }
      await send(.done(number))
    }
    store.connect(
      work.guarded(by: breaker, action: { _, number in .failed(number) }).hedged(
        after: .seconds(1), clock: clock),
      to: \.self)
    try await gate.waiters(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await store.settled()
    #expect(reported.values == [1])
    #expect(breaker.state == .halfOpen)
  }

  @Test("a refusal is told in words") func words() {
    #expect("\(CircuitRefusal.open(retryAfter: .milliseconds(9800)))" == "not tried for another 9.8 s")
    #expect("\(CircuitRefusal.halfOpen)" == "not tried before another try has ended")
  }
}
