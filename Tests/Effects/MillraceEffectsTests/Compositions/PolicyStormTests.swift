import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

/// Policies on threads of their own kind, where order is not decided: nothing may be lost, left or done at once.
@Suite struct PolicyStormTests {
  private enum Change: Sendable {
    case want(Set<Int>)
    case work(WorkEffect.Action)
  }

  @Test("under a storm of requests from several tasks, policies keep their limits and leave nothing")
  func storm() async {
    let (work, clock, limit) = (WorkEffect(), ImmediateClock(), ConcurrencyLimit(2, order: .lastInFirstOut))
    work.gate.open()
    let inside = Lock((now: 0, most: 0))
    let breaker = CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(1), clock: clock)
    let effect = Counting(base: work, inside: inside)
      .timingOut(after: .seconds(100), clock: TestClock(), failure: { _ in WorkEffect.Failed() })
      .limited(by: limit, priority: { $0 % 3 })
      .guarded(by: breaker, action: { _, number in .timedOut(number) })
      .retried(times: 2, by: Backoff(first: .seconds(1), jitter: 0), clock: clock) { _, number in
        .failed(number)
      }
      .throttled(for: .seconds(1), clock: clock)
      .debounced(for: .seconds(1), clock: clock)
    let store = Store<Set<Int>, Change>(initialState: []) { state, change in
      if case .want(let numbers) = change { state = numbers }
    }
    store.connect(effect, to: \.self, action: Change.work)
    await withTaskGroup { group in
      for seed in 1...4 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(seed))
          for _ in 0..<200 {
            await store.send(.want(Set((1...4).map { _ in Int.random(in: -6...6, using: &random) })))
          }
        }
      }
    }
    await store.settled()
    #expect(inside.withLock { $0.now } == 0)
    #expect(1...2 ~= inside.withLock { $0.most })
    #expect(work.begun.count == work.ended.count)
    store.dispatch(.want([]))
    await store.settled()
    #expect(limit.waiting == 0)
    #expect(store.activity.entries.allSatisfy { $0.work.isEmpty })
    #expect(await store.shutdown().isClean)
  }

  /// Counts how many runs of the effect within are in progress.
  private struct Counting<Base: EffectComponent>: PolicyEffect {
    let base: Base
    let inside: Lock<(now: Int, most: Int)>

    func serve(
      _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
    ) async throws(Base.Failure) {
      inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      defer { inside.withLock { $0.now -= 1 } }
      await Task.yield()
      try await runBase(requests, send: send)
    }
  }
}
