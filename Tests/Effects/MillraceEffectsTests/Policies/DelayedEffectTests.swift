import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct DelayedEffectTests {
  private let work = WorkEffect()
  private let clock = TestClock()
  private let sent = Recorder<WorkEffect.Action>()

  init() { work.gate.open() }

  @Test("a body begins when its delay is over, not before")
  func delayed() async throws {
    let effect = work.delayed(by: .seconds(3), clock: clock)
    let run = Task { [sent] in try await effect.run(1, send: .recording(into: sent)) }
    try await clock.sleepers(atLeast: 1)
    #expect(work.begun.values.isEmpty)
    clock.advance(by: .seconds(3))
    try await run.value
    #expect(sent.values == [.done(1)])
  }

  @Test("a run that is stopped within its delay never begins its body")
  func stopped() async throws {
    let effect = work.delayed(by: .seconds(3), clock: clock)
    let run = Task { [sent] in try await effect.run(1, send: .recording(into: sent)) }
    try await clock.sleepers(atLeast: 1)
    run.cancel()
    try await run.value
    #expect(work.begun.values.isEmpty)
  }

  @Test("a delay of zero or less delays nothing, an absurd one does not trap")
  func edges() async throws {
    for delay in [Duration.zero, .seconds(-1)] {
      try await work.delayed(by: delay, clock: clock).run(1, send: .recording(into: sent))
    }
    #expect(sent.count == 2)
    let absurd = work.delayed(by: .seconds(Int64.max))
    let run = Task { [sent] in try await absurd.run(1, send: .recording(into: sent)) }
    run.cancel()
    try await run.value
    #expect(sent.count == 2)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of delayed requests")
  func timelines() {
    // Each waits for itself; what leaves before its time never begins.
    Timeline(
      asks: "a[ab]--[b].-c.",
      begins: "---ab",
      sends: "---ab"
    ).check(ScriptedWork()) { $0.delayed(by: .seconds(3), clock: $0.clock) }

    // A delay by the number of the attempt: none for a, one second for b, two for c.
    Timeline(
      asks: "a-b-c---",
      begins: "a--b--c-",
      sends: "a--b--c-"
    ).check(ScriptedWork()) {
      $0.backingOff(
        by: Backoff(first: .seconds(1), jitter: 0), attempt: { ["a": 1, "b": 2][$0] ?? 3 }, clock: $0.clock)
    }

    // What is handed over meanwhile is there when the run begins.
    Timeline(
      asks: "abc-d-",
      begins: "---cd-",
      sends: "---cd-"
    ).check(ScriptedFeed()) { $0.delayed(by: .seconds(3), clock: $0.clock) }
  }

  @Test("a debounced request that changes within the quiet time is served once, as what it became")
  func debounced() async throws {
    let store = Store<Set<Int>, Change>(initialState: [], on: .immediate) { state, change in
      if case .want(let number) = change { state = [number] }
    }
    store.connect(work.debounced(for: .seconds(2), clock: clock), to: \.self, action: Change.work)
    for number in 1...3 {
      store.dispatch(.want(number))
      try await eventually { clock.sleepers.map(\.deadline) == [clock.now + .seconds(2)] }
      clock.advance(by: .seconds(1))
    }
    clock.advance(by: .seconds(1))
    await store.settled()
    #expect(work.begun.values == [3])
  }

  private enum Change: Sendable {
    case want(Int)
    case work(WorkEffect.Action)
  }
}
