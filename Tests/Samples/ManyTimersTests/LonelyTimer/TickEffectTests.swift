import LonelyTimer
import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

@Suite("The lonely timer's effect")
struct TickEffectTests {
  private let clock = TestClock()
  private let second = Duration.seconds(1)

  private func testStore(limit: Int? = nil) -> TestStore<LonelyTimer.State, LonelyTimer.Action> {
    TestStore(initialState: .init(limit: limit), serving: .bodies, reduce: LonelyTimer.reduce) {
      LonelyTimer.connect(to: $0, clock: clock, interval: second)
    }
  }

  /// The one request there is.
  private var tick: TickEffect<TestClock>.Tick {
    get throws {
      var running = LonelyTimer.State()
      running.isRunning = true
      return try #require(TickEffect(clock: clock, interval: second).requests(in: running).first)
    }
  }

  @Test("asks to tick only while the timer runs")
  func requests() throws {
    let effect = TickEffect(clock: clock, interval: second)
    var running = LonelyTimer.State()
    running.isRunning = true
    #expect(effect.plan(connectingTo: LonelyTimer.State()) == RequestPlan())
    #expect(effect.plan(from: LonelyTimer.State(), to: running) == RequestPlan(starts: [try tick]))
    #expect(effect.plan(from: running, to: LonelyTimer.State()) == RequestPlan(stops: [try tick]))
  }

  @Test("ticks when they are due, also when it was woken late")
  func noDrift() async throws {
    let run = TickEffect(clock: clock, interval: second).begin(try tick)
    await run.advance(clock, by: .milliseconds(999))
    #expect(run.sent == [])
    clock.advance(by: .milliseconds(1501))
    await run.settle()
    #expect(run.sent == [.ticked, .ticked])
    #expect(clock.sleepers.map(\.deadline) == [.start + .seconds(3)])
    run.cancel()
    await run.settle()
    #expect(run.outcome == RunOutcome(sent: [.ticked, .ticked], end: .stopped))
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
  func connected() async {
    let store = testStore()
    store.send(.toggled) { $0.isRunning = true }
    for tick in 1...3 {
      await store.advance(clock, by: second)
      await store.receive(.ticked) { $0.ticks = tick }
    }
    store.send(.toggled) { $0.isRunning = false }
    await store.finish()
    #expect(clock.sleepers.isEmpty)
  }

  @Test("in a store of its own it runs to its limit and ends")
  func limit() async {
    let store = testStore(limit: 2)
    store.send(.toggled) { $0.isRunning = true }
    await store.advance(clock, by: .seconds(60))
    await store.receive(.ticked) { $0.ticks = 1 }
    await store.receive(.ticked) { ($0.ticks, $0.isRunning) = (2, false) }
    await store.finish()
  }
}
