import LonelyTimer
import Testing

@Suite("The lonely timer's reducer")
struct LonelyTimerTests {
  private func reduced(_ state: LonelyTimer.State, _ actions: LonelyTimer.Action...) -> LonelyTimer.State {
    actions.reduce(into: state, LonelyTimer.reduce)
  }

  @Test("toggling starts and stops, and keeps what was counted")
  func toggling() {
    let running = reduced(LonelyTimer.State(), .toggled, .ticked, .ticked)
    #expect((running.ticks, running.isRunning) == (2, true))
    let stopped = reduced(running, .toggled)
    #expect((stopped.ticks, stopped.isRunning) == (2, false))
  }

  @Test("a lonely timer stops at its limit, and starts again only after a reset")
  func limit() {
    var state = reduced(LonelyTimer.State(limit: 2), .toggled, .ticked)
    #expect((state.isRunning, state.isDone) == (true, false))
    state = reduced(state, .ticked)
    #expect((state.isRunning, state.isDone) == (false, true))
    #expect(reduced(state, .toggled) == state)
    #expect(reduced(state, .reset, .toggled).isRunning)
  }
}
