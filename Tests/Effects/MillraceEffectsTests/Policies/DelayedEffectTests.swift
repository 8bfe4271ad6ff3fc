import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct DelayedEffectTests {
  @Test("a delay of zero or less delays nothing, an absurd one does not trap")
  func edges() async throws {
    let (work, sent) = (WorkEffect(), Recorder<WorkEffect.Action>())
    work.gate.open()
    for delay in [Duration.zero, .seconds(-1)] {
      try await work.delayed(by: delay, clock: TestClock()).run(1, send: .recording(into: sent))
    }
    #expect(sent.count == 2)
    let absurd = work.delayed(by: .seconds(Int64.max))
    let run = Task { try await absurd.run(1, send: .recording(into: sent)) }
    run.cancel()
    try await run.value
    #expect(sent.count == 2)
  }

  @Test("timelines of delayed requests")
  func timelines() {
    // Each waits for itself; what leaves before its time never begins.
    ScriptedWork().plays("a[ab]--[b].-c.", begins: "---ab") { $0.delayed(by: .seconds(3), clock: $0.clock) }
    // A delay by the number of the attempt: none for a, one second for b, two for c.
    ScriptedWork().plays("a-b-c---", begins: "a--b--c") {
      $0.backingOff(
        by: Backoff(first: .seconds(1), jitter: 0), attempt: { ["a": 1, "b": 2][$0] ?? 3 }, clock: $0.clock)
    }
    // What is handed over meanwhile is there when the run begins.
    ScriptedFeed().plays("abc-d-", begins: "---cd") { $0.delayed(by: .seconds(3), clock: $0.clock) }
  }
}
