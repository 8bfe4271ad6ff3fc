import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

/// What all policies that wait have in common, in a store.
@Suite struct PoliciesInAStoreTests {
  enum Waiting: String, CaseIterable, Sendable {
    case delayed, debounced, throttled, limited, limitedByPriority, retried, polled
  }

  private enum Change: Sendable {
    case want(Set<Int>)
    case work(WorkEffect.Action)
  }

  private let work = WorkEffect()
  private let clock = TestClock()
  private let store = Store<Set<Int>, Change>(initialState: [], on: .immediate) { state, change in
    switch change {
    case .want(let numbers): state = numbers
    case .work(.done(let number)): state.remove(number)
    case .work: break
    }
  }

  /// Connects the effect so that number 7 comes to wait in the policy, and returns when it does.
  private func letWait(in policy: Waiting) async throws {
    switch policy {
    case .delayed: connect(work.delayed(by: .seconds(3), clock: clock))
    case .debounced: connect(work.debounced(for: .seconds(3), clock: clock))
    case .throttled:
      work.gate.pass()
      let throttled = work.throttled(for: .seconds(3), clock: clock)
      try await throttled.run(1, send: .recording(into: Recorder()))
      connect(throttled)
    case .limited, .limitedByPriority:
      let limit = ConcurrencyLimit(1, order: .lastInFirstOut)
      let held = work.limited(by: limit)
      Task { try await held.run(1, send: .recording(into: Recorder())) }
      try await work.gate.waiters(atLeast: 1)
      connect(policy == .limited ? held : work.limited(by: limit, priority: { $0 }))
      store.dispatch(.want([7]))
      try await eventually { limit.waiting != 0 }
      return
    case .retried:
      work.gate.pass()
      connect(
        work.retried(times: 1, by: Backoff(first: .seconds(3), jitter: 0), clock: clock) { _, number in
          .failed(number)
        })
      store.dispatch(.want([-7]))
      try await clock.sleepers(atLeast: 1)
      return
    case .polled:
      work.gate.pass()
      connect(work.polled(every: .seconds(3), clock: clock))
      store.dispatch(.want([-7]))
      try await clock.sleepers(atLeast: 1)
      return
    }
    store.dispatch(.want([7]))
    try await clock.sleepers(atLeast: 1)
  }

  private func connect(_ effect: some EffectComponent<Set<Int>, WorkEffect.Action>) {
    store.connect(effect, to: \.self, action: Change.work)
  }

  @Test(
    "E10: a request that leaves the state while it waits in a policy never begins",
    arguments: Waiting.allCases)
  func leaves(policy: Waiting) async throws {
    try await letWait(in: policy)
    let begun = work.begun.values
    // Once it is sent, the run is stopped, also if the run's own thread makes this turn.
    await store.send(.want([]))
    clock.advance(by: .seconds(9))
    work.gate.open()
    await store.settled()
    #expect(work.begun.values == begun)
    #expect(clock.sleepers.isEmpty)
    #expect(store.activity.entries.allSatisfy { $0.work.isEmpty })
  }

  @Test("E6: disconnecting ends what waits in a policy, and it never begins", arguments: Waiting.allCases)
  func disconnected(policy: Waiting) async throws {
    try await letWait(in: policy)
    let begun = work.begun.values
    let report = await store.shutdown()
    clock.advance(by: .seconds(9))
    work.gate.open()
    #expect(report.isClean)
    #expect(work.begun.values == begun)
    #expect(clock.sleepers.isEmpty)
  }

  @Test("E2: under every policy, a request that comes back begins only when its stopped run has returned")
  func noOverlap() async throws {
    let work = WorkEffect(isStubborn: true)
    let breaker = CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(1), clock: clock)
    connect(
      work.guarded(by: breaker, action: { _, number in .failed(number) })
        .retried(times: 2, by: Backoff(first: .zero, jitter: 0)) { _, number in .failed(number) }
        .timingOut(after: .seconds(5), clock: clock, action: { .timedOut($0) })
        .throttled(for: .zero, clock: clock).limited(to: 2).debounced(for: .zero, clock: clock))
    store.dispatch(.want([1]))
    try await work.begun.values(atLeast: 1)
    store.dispatch(.want([]))
    store.dispatch(.want([1]))
    // The new run has nothing more to do until the stopped one has returned.
    try await eventually {
      store.activity.entries.flatMap(\.work).contains { $0.waitsFor == ["the run before it"] }
    }
    #expect(work.begun.count == 1)
    work.gate.open()
    await store.settled()
    #expect(work.begun.count == 2)
    #expect(store.state.isEmpty)
  }

  @Test("activity lists name an effect with its policies, and without their clocks")
  func names() {
    connect(work.retried(times: 1, clock: clock) { _, number in .failed(number) }.debounced(for: .seconds(1)))
    #expect(
      store.activity.entries.map(\.connection.name) == ["DebouncedEffect<RetriedEffect<WorkEffect>>"])
  }
}
