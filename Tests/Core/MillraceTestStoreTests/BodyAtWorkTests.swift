import Dispatch
import Millrace
import MillraceEffects
import MillraceTestStore
import MillraceTesting
import Testing

/// Policies that have a task beside the body that they run, which waits for a clock or for another value: a step waits
/// for the body all the same, also while it is at work on something that says nothing of its wait.
@Suite struct BodyAtWorkTests {
  struct State: Equatable, Sendable {
    var job: Int?
    var done: [Int] = []
  }

  enum Action: Equatable, Sendable {
    case asked(Int?)
    case done(Int)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .asked(let job): state.job = job
    case .done(let job): state.done.append(job)
    }
  }

  /// As a write to a disk does: the task is resumed by a queue of Dispatch.
  static func work() async {
    for _ in 0..<100 {
      await withCheckedContinuation { worked in DispatchQueue.global().async { worked.resume() } }
    }
  }

  struct Failed: Error {}

  struct Jobs: EffectComponent {
    func id(of job: Int) -> Bool { true }
    func requests(in state: State) -> Set<Int> { state.job.map { [$0] } ?? [] }
    func run(_ job: Int, send: Send<Action>) async throws(Failed) {
      await work()
      await send(.done(job))
    }
    func action(for failure: Failed, of job: Int) -> Action { .done(-job) }
  }

  /// Jobs that are handed over.
  struct Feed: HandoverEffectComponent {
    var fails = false
    func id(of job: Int) -> Bool { true }
    func requests(in state: State) -> Set<Int> { state.job.map { [$0] } ?? [] }
    func run(following jobs: RequestUpdates<Int>, send: Send<Action>) async throws(Failed) {
      for await job in jobs {
        await work()
        if fails { throw Failed() }
        await send(.done(job))
      }
    }
    func action(for failure: Failed, of job: Int) -> Action { .done(-job) }
  }

  /// Jobs with a timer in a task of its own, as a socket has one, which is cancelled before it sleeps.
  struct Timed: EffectComponent {
    let clock: TestClock
    func requests(in state: State) -> Set<Int> { state.job.map { [$0] } ?? [] }
    func run(_ job: Int, send: Send<Action>) async {
      let timer = Task {
        await work()
        withUnsafeCurrentTask { $0?.cancel() }
        try? await clock.sleep(for: .seconds(1))
        await work()
      }
      await timer.value
      await send(.done(job))
    }
  }

  let clock = TestClock()
  let second = Duration.seconds(1)

  /// - Parameter waits: whether the policy serves a request only after a second.
  private func check(_ effect: some EffectComponent<State, Action>, waits: Bool = false) async {
    let store = TestStore(
      initialState: State(), serving: .bodies, reduce: Self.reduce, connect: { $0.connect(effect) })
    for job in 1...3 {
      store.send(.asked(job)) { $0.job = job }
      if waits { await store.advance(clock, by: second) }
      await store.receive(.done(job)) { $0.done.append(job) }
      if !waits { await store.advance(clock, by: second) }
    }
    store.send(.asked(nil)) { $0.job = nil }
    store.exhaustivity = []
    await store.finish()
  }

  @Test func aStepWaitsForATimerThatIsOverAtOnce() async { await check(Timed(clock: clock)) }

  @Test func aStepWaitsForTheBodyWithinEachPolicy() async {
    let (minute, backoff) = (Duration.seconds(60), Backoff(first: .seconds(1), jitter: 0))
    await check(Feed().debounced(for: second, clock: clock), waits: true)
    await check(Feed().throttled(for: second, clock: clock))
    await check(Jobs().timingOut(after: minute, clock: clock, failure: { _ in Failed() }))
    await check(Feed().timingOut(after: minute, clock: clock, action: { .done(-$0) }))
    await check(Jobs().hedged(after: minute, clock: clock))
    await check(Feed().hedged(after: minute, clock: clock))
    await check(Feed().retried(times: 2, by: backoff, clock: clock) { _, job in .done(-job) })
    let supervised = Feed().supervised(restarts: 2, within: minute, by: backoff, clock: clock) { _, job in
      .done(-job)
    }
    await check(supervised)
    await check(Feed(fails: true).fallingBack(to: Feed()))
    let limited = Feed().timingOut(after: minute, clock: clock, action: { .done(-$0) })
    await check(limited.debounced(for: second, clock: clock), waits: true)
  }

  @Test("what such a run waits for is told with what its body waits for") func reported() async {
    let gate = Gate()
    let store = TestStore(
      initialState: State(), serving: .bodies, reduce: Self.reduce,
      connect: {
        let jobs = Effect { (job: Int, send: Send<Action>) in
          try? await gate.wait()
          await send(.done(job))
        }
        $0.connect(jobs.timingOut(after: .seconds(5), clock: clock) { .done(-$0) }, when: \.job)
      })
    store.send(.asked(1)) { $0.job = 1 }
    await store.settle()
    let waits = "waits for a test clock until 5.0 seconds and the effect within (a gate)"
    #expect("\(store.store.activity)".contains(waits))
    gate.open()
    await store.receive(.done(1)) { $0.done = [1] }
    await store.finish()
  }
}
