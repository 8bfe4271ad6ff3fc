import LonelyTimer
import Millrace
import MillraceTesting
import Testing

@Suite("The lonely timer's effect")
struct TickEffectTests {
  private let clock = TestClock()
  private let second = Duration.seconds(1)

  @Test("asks to tick only while the timer runs")
  func requests() {
    let effect = TickEffect(clock: clock, interval: second)
    var state = LonelyTimer.State()
    #expect(effect.requests(in: state).isEmpty)
    state.isRunning = true
    #expect(effect.requests(in: state).count == 1)
  }

  @Test("ticks when they are due, also when it was woken late")
  func noDrift() async throws {
    let sent = Recorder<LonelyTimer.Action>()
    let effect = TickEffect(clock: clock, interval: second)
    var running = LonelyTimer.State()
    running.isRunning = true
    let tick = try #require(effect.requests(in: running).first)
    let ticking = Task { await effect.run(tick, send: .recording(into: sent)) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(999))
    #expect(sent.count == 0)
    clock.advance(by: .milliseconds(1501))
    try await sent.values(count: 2)
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [.start + .seconds(3)])
    ticking.cancel()
    await ticking.value
    #expect(sent.count == 2)
  }

  @Test("stops by itself once it is not wanted")
  func fenced() async throws {
    let sent = Recorder<LonelyTimer.Action>()
    let effect = TickEffect(clock: ImmediateClock(), interval: second)
    var running = LonelyTimer.State()
    running.isRunning = true
    let tick = try #require(effect.requests(in: running).first)
    await effect.run(tick, send: .recording(into: sent, answering: .fenced))
    #expect(sent.values == [.ticked])
  }

  @Test("in a store of its own it ticks while it runs, and leaves the clock when it is stopped")
  func connected() async throws {
    let store = Store(initialState: LonelyTimer.State(), on: .immediate, reduce: LonelyTimer.reduce)
    LonelyTimer.connect(to: store, clock: clock, interval: second)
    #expect(clock.sleepers.isEmpty)
    store.dispatch(.toggled)
    for tick in 1...3 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: second)
      _ = await store.values(of: \.ticks).first { $0 == tick }
    }
    store.dispatch(.toggled)
    await store.settled()
    #expect(clock.sleepers.isEmpty)
    #expect(store.state.ticks == 3)
  }

  @Test("in a store of its own it runs to its limit and ends")
  func limit() async {
    let store = Store(initialState: LonelyTimer.State(limit: 5), reduce: LonelyTimer.reduce)
    LonelyTimer.connect(to: store, clock: ImmediateClock(), interval: second)
    await store.send(.toggled)
    _ = await store.values(of: \.isDone).first { $0 }
    await store.settled()
    #expect(store.state.ticks == 5)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }
}
