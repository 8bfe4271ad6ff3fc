import Millrace
import MillraceEffects
import MillraceTestStore
import MillraceTesting
import Testing

/// Everything of the library that waits, in bodies: a test settles, advances, receives and finishes.
@Suite struct WaitingTests {
  struct State: Equatable, Sendable {
    var jobs: Set<Int> = []
    var done: [Int] = []
    var late: [Int] = []
  }

  enum Action: Equatable, Sendable {
    case asked(Set<Int>)
    case done(Int)
    case late(Int)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .asked(let jobs): state.jobs = jobs
    case .done(let job): state.done.append(job)
    case .late(let job): state.late.append(job)
    }
  }

  /// Jobs that wait for what `wait` does.
  struct Jobs: EffectComponent {
    let wait: @Sendable (Int) async -> Void
    func requests(in state: State) -> Set<Int> { state.jobs }
    func run(_ job: Int, send: Send<Action>) async {
      await wait(job)
      await send(.done(job))
    }
  }

  let gate = Gate()
  let clock = TestClock()

  private var jobs: Jobs { Jobs { [gate] _ in try? await gate.wait() } }

  private func store(
    _ effect: some EffectComponent<State, Action>, serving: RunServing = .bodies
  ) -> TestStore<State, Action> {
    TestStore(
      initialState: State(), serving: serving, reduce: Self.reduce,
      connect: { $0.connect(effect, named: "jobs") })
  }

  /// Receives an action of a run, of which others may have been reduced already.
  private func receive(
    _ list: any WritableKeyPath<State, [Int]> & Sendable, count: Int, in store: TestStore<State, Action>,
    line: UInt = #line
  ) async {
    let change = { (state: inout State) in
      state[keyPath: list] = Array(store.state[keyPath: list].prefix(count))
    }
    await store.receive(where: { _ in true }, line: line, changing: change)
  }

  // MARK: Policies

  @Test func timeout() async {
    let store = store(jobs.timingOut(after: .seconds(5), clock: clock) { .late($0) })
    store.send(.asked([1, 2])) { $0.jobs = [1, 2] }
    await store.advance(clock, by: .seconds(4))
    gate.pass()
    await receive(\.done, count: 1, in: store)
    await store.advance(clock, by: .seconds(1))
    await receive(\.late, count: 1, in: store)
    #expect(store.state.done.count == 1 && store.state.late.count == 1)
    await store.finish()
  }

  @Test func aBodyThatIgnoresItsTimeout() async {
    let stubborn = Jobs { [gate] _ in await gate.waitIgnoringCancellation() }
    let store = store(stubborn.timingOut(after: .seconds(5), clock: clock) { .late($0) })
    store.send(.asked([1])) { $0.jobs = [1] }
    await store.advance(clock, by: .seconds(5))
    await store.receive(.late(1)) { $0.late = [1] }
    gate.open()
    await store.finish()
  }

  @Test(arguments: [1, 2]) func limited(to places: Int) async {
    let store = places == 1 ? store(jobs.inSequence()) : store(jobs.limited(to: places))
    store.send(.asked([1, 2, 3])) { $0.jobs = [1, 2, 3] }
    await store.settle()
    #expect(gate.waiterCount == places)
    for count in 1...3 {
      gate.pass()
      await receive(\.done, count: count, in: store)
      #expect(store.state.done.count == count)
      #expect(gate.waiterCount == min(places, 3 - count))
    }
    await store.finish()
  }

  @Test(arguments: [false, true]) func throttledAndRateLimited(hasBucket: Bool) async {
    let bucket = TokenBucket(capacity: 1, refilledEvery: .seconds(2), clock: clock)
    let store =
      hasBucket
      ? store(Jobs { _ in }.rateLimited(by: bucket))
      : store(Jobs { _ in }.throttled(for: .seconds(2), clock: clock))
    store.send(.asked([1, 2, 3])) { $0.jobs = [1, 2, 3] }
    for count in 1...3 {
      await receive(\.done, count: count, in: store)
      #expect(store.state.done.count == count)
      await store.advance(clock, by: .seconds(2))
    }
    await store.finish()
  }

  // MARK: Others

  /// One flight for all that ask for it: a task that the first one starts.
  private actor Flight {
    private var task: Task<Void, Never>?
    func join(_ body: @escaping @Sendable () async -> Void) async {
      let task = task ?? Task { await body() }
      self.task = task
      await withWaitReason("the shared flight", queued: true) { await task.value }
    }
  }

  @Test func sharedFlight() async {
    let flight = Flight()
    let store = store(Jobs { [gate] _ in await flight.join { try? await gate.wait() } })
    store.send(.asked([1, 2])) { $0.jobs = [1, 2] }
    await store.settle()
    gate.open()
    await receive(\.done, count: 1, in: store)
    await receive(\.done, count: 2, in: store)
    await store.finish()
  }

  /// A run of the same identity that ignores its end is at a gate: the next one waits for it, and so for the test.
  @Test func behindAStoppedRun() async {
    struct Named: EffectComponent {
      let gate: Gate
      func id(of job: Int) -> Bool { true }
      func requests(in state: State) -> Set<Int> { state.jobs }
      func run(_ job: Int, send: Send<Action>) async {
        if job == 1 { await gate.waitIgnoringCancellation() }
        await send(.done(job))
      }
    }
    let store = store(Named(gate: gate))
    store.send(.asked([1])) { $0.jobs = [1] }
    await store.settle()
    store.send(.asked([2])) { $0.jobs = [2] }
    await store.settle()
    store.expect(stopped: 1)
    #expect(
      "\(store.store.activity)".contains("starting #2 2, started by action 2, waits for the run before it"))
    gate.open()
    await store.receive(.done(2)) { $0.done = [2] }
    await store.finish()
  }

  @Test func aStreamThatTheTestFeeds() async {
    let stream = TestStream<Int>()
    let store = TestStore(
      initialState: State(jobs: [0]), serving: .bodies, reduce: Self.reduce,
      connect: { store in
        store.connect(when: { $0.jobs }, named: "reader") { _, send in
          for await element in stream { await send(.done(element)) }
        }
      })
    await store.settle()
    #expect(stream.readerCount == 1)
    stream.send(1)
    stream.send(2)
    await store.receive(.done(1)) { $0.done = [1] }
    await store.receive(.done(2)) { $0.done = [1, 2] }
    stream.finish()
    await store.finish()
  }

  /// A run of several tasks waits for the test when all of them do: here one is at work for a while.
  @Test(arguments: 1...20) func severalTasks(_: Int) async {
    let store = store(
      Jobs { [gate] _ in
        async let first: Void? = try? gate.wait()
        async let second: Void? = {
          for _ in 0..<50 { await Task.yield() }
          try? await gate.wait()
        }()
        _ = await (first, second)
      })
    store.send(.asked([1])) { $0.jobs = [1] }
    await store.settle()
    #expect(gate.waiterCount == 2)
    gate.open()
    await store.receive(.done(1)) { $0.done = [1] }
    await store.finish()
  }

  /// A long-running run may wait for anything.
  @Test func aLongRunningRunIsNotWaitedFor() async {
    let (outside, finish) = AsyncStream<Int>.makeStream()
    let store = TestStore(
      initialState: State(jobs: [0]), serving: .bodies, reduce: Self.reduce,
      connect: { store in
        store.connect(when: { $0.jobs }, named: "socket", longRunning: true) { _, send in
          for await element in outside { await send(.done(element)) }
        }
      })
    await store.settle()
    store.expect(running: 0)
    await store.finish()
    finish.finish()
  }

  // MARK: By hand

  @Test func aLimitHoldsByHand() async {
    let store = store(
      jobs.delayed(by: .zero).limited(to: 1).timingOut(after: .seconds(1)) { .late($0) },
      serving: .answered)
    store.send(.asked([1])) { $0.jobs = [1] }
    store.send(.asked([1, 2, 3])) { $0.jobs = [1, 2, 3] }
    store.expect(running: 1, 2, 3)
    store.answer(1, with: .done(1)) { $0.done = [1] }
    #expect(waits(in: store) == ["a slot of 1", "an answer"])
    store.send(.asked([])) { $0.jobs = [] }
    store.expect(stopped: 2, 3)
    // Nothing holds the slot any more.
    store.send(.asked([4])) { $0.jobs = [4] }
    store.answer(4, with: .done(4)) { $0.done = [1, 4] }
    await store.finish()
  }

  /// Which of the runs that one action begins comes first is not promised: the test may begin with any.
  @Test func theTestChoosesAmongRunsOfOneAction() async {
    for first in 1...4 {
      let store = store(jobs.limited(to: 2), serving: .answered)
      store.send(.asked([1, 2, 3, 4])) { $0.jobs = [1, 2, 3, 4] }
      let order = (0..<4).map { (first + $0 - 1) % 4 + 1 }
      store.send(.late(order[0]), from: order[0]) { $0.late = [order[0]] }
      for job in order.dropFirst() { store.answer(job, with: .done(job)) { $0.done.append(job) } }
      store.answer(order[0], with: .done(0)) { $0.done.append(0) }
      await store.finish()
    }
  }

  @Test func whatWasAskedForLaterWaits() async {
    let failures = await FailureCapture.failures {
      let store = store(jobs.limited(to: 1), serving: .answered)
      store.send(.asked([1])) { $0.jobs = [1] }
      store.send(.asked([1, 2])) { $0.jobs = [1, 2] }
      store.answer(2, with: .done(2), line: 3)
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(failures.map(\.place.line) == [3])
    #expect(
      failures[0].message.contains("jobs 2, asked for by .asked([")
        && failures[0].message.contains("waits for a slot of 1"))
  }

  /// Whatever is around the limit: a closure that asks, and policies that know no lines.
  @Test func aLimitHoldsByHandWithinOtherEffects() async {
    struct Broken: Error {}
    let supervised = Effect<Int, Action, Broken>(
      failure: { _, job in .late(job) }, run: { _, _ throws(Broken) in }
    )
    .supervised(restarts: 1, within: .seconds(1), restarting: { _, job in .late(job) })
    let store = TestStore(initialState: State(), reduce: Self.reduce) {
      $0.connect(
        supervised.limited(to: 1).ignoringWhileRunning(per: { $0 }), when: { Set($0.jobs) }, named: "jobs")
    }
    store.send(.asked([1])) { $0.jobs = [1] }
    store.send(.asked([1, 2])) { $0.jobs = [1, 2] }
    #expect(waits(in: store) == ["a slot of 1", "an answer"])
    store.exhaustivity = .none
    await store.finish()
  }

  /// Between two attempts a run has no slot, and no step says when that is.
  @Test func aLimitWithinAttemptsDoesNotHoldByHand() async {
    struct Broken: Error {}
    let retried = Effect<Int, Action, Broken>(
      failure: { _, job in .late(job) }, run: { _, _ throws(Broken) in }
    )
    .limited(to: 1).retried(times: 1, action: { _, job in .late(job) })
    let store = TestStore(initialState: State(), reduce: Self.reduce) {
      $0.connect(retried, when: { Set($0.jobs) }, named: "jobs")
    }
    store.send(.asked([1])) { $0.jobs = [1] }
    store.send(.asked([1, 2])) { $0.jobs = [1, 2] }
    store.send(.late(1), from: 1) { $0.late = [1] }
    store.answer(2, with: .done(2)) { $0.done = [2] }
    store.answer(1, with: .done(1)) { $0.done = [2, 1] }
    await store.finish()
  }

  private func waits(in store: TestStore<State, Action>) -> [String] {
    store.store.activity.entries.flatMap(\.work).flatMap(\.waitsFor).sorted()
  }

  @Test func aBodyThatIsExecutedTakesItsOwnSlot() async {
    let store = store(Jobs { _ in }.limited(to: 1), serving: .answered)
    store.send(.asked([1])) { $0.jobs = [1] }
    store.execute(1)
    await store.receive(.done(1)) { $0.done = [1] }
    store.send(.asked([2])) { $0.jobs = [2] }
    store.answer(2, with: .done(2)) { $0.done = [1, 2] }
    await store.finish()
  }

  // MARK: Names

  @Test func whatEachPolicyWaitsFor() async {
    struct Fails: EffectComponent {
      struct Failure: Error {}
      func requests(in state: State) -> Set<Int> { state.jobs }
      func run(_ job: Int, send: Send<Action>) async throws(Failure) { throw Failure() }
      func action(for failure: Failure, of job: Int) -> Action { .late(job) }
    }
    let backoff = Backoff(first: .seconds(4), jitter: 0)
    let waits = { (effect: any EffectComponent<State, Action>, jobs: Set<Int>) async -> [String] in
      let store = self.store(effect)
      store.exhaustivity = .none
      store.send(.asked(jobs))
      await store.settle()
      let waits = self.waits(in: store)
      await store.finish()
      return waits
    }
    let none = Jobs { _ in }
    let bucket = TokenBucket(capacity: 1, refilledEvery: .milliseconds(250), clock: clock)
    let retried = Fails().retried(times: 2, by: backoff, clock: clock) { _, _ in .late(0) }
    let expected: [(any EffectComponent<State, Action>, Set<Int>, [String])] = [
      (
        none.debounced(for: .milliseconds(800), clock: clock), [1],
        ["0.8 s of a debounce (a test clock until 0.8 seconds)"]
      ),
      (
        none.delayed(by: .seconds(2), clock: clock), [1],
        ["2 s of a delay (a test clock until 2.0 seconds)"]
      ),
      (jobs.limited(to: 1), [1, 2], ["a gate", "a slot of 1, first in line"]),
      (
        none.throttled(for: .seconds(3), clock: clock), [1, 2, 3],
        [
          "a throttle of 3 s (a test clock until 3.0 seconds)",
          "its turn in a throttle of 3 s, first in line",
        ]
      ),
      (
        none.rateLimited(by: bucket), [1, 2, 3],
        ["a token in 0.25 s (a test clock until 0.25 seconds)", "its turn for a token, first in line"]
      ),
      (
        none.polled(every: .seconds(9), clock: clock), [1],
        ["the next poll in 9 s (a test clock until 9.0 seconds)"]
      ),
      (retried, [1], ["attempt 2 in 4 s (a test clock until 4.0 seconds)"]),
    ]
    for (effect, jobs, reasons) in expected { #expect(await waits(effect, jobs) == reasons) }
  }
}
