import LonelyTimer
import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

@testable import manytimers

@Suite("Timers in a list")
struct TimerListTests {
  private let clock = TestClock()
  private let interval = Duration.milliseconds(100)

  private func testStore(rows: Int) -> TestStore<TimerList, TimerList.Action> {
    TestStore(initialState: .init(rows: rows), serving: .bodies, reduce: TimerList.reduce) {
      TimerList.connect(to: $0, clock: clock, interval: interval)
    }
  }

  @Test("each row starts and stops by itself")
  func independence() async {
    let store = testStore(rows: 3)
    store.send(.row(1, .toggled)) { $0.rows[id: 1]?.timer.isRunning = true }
    // Two that were due at one instant would tick in any order.
    await store.advance(clock, by: interval / 2)
    store.send(.row(3, .toggled)) { $0.rows[id: 3]?.timer.isRunning = true }
    await store.advance(clock, by: interval)
    for id in [1, 3] { await store.receive(.row(id, .ticked)) { $0.rows[id: id]?.timer.ticks = 1 } }
    store.send(.row(1, .toggled)) { $0.rows[id: 1]?.timer.isRunning = false }
    await store.advance(clock, by: interval)
    await store.receive(.row(3, .ticked)) { $0.rows[id: 3]?.timer.ticks = 2 }
    store.send(.row(3, .toggled)) { $0.rows[id: 3]?.timer.isRunning = false }
    await store.finish()
    #expect(clock.sleepers.isEmpty)
  }

  @Test("equal requests of all rows run side by side: none takes another's place")
  func noCollision() async {
    let store = testStore(rows: 12)
    store.exhaustivity = .none
    for id in 1...12 { store.send(.row(id, .toggled)) }
    await store.advance(clock, by: interval * 2)
    #expect(store.state.rows.map(\.timer.ticks) == Array(repeating: 2, count: 12))
    await store.finish()
  }

  @Test("a row that is removed takes its timer with it, and its neighbours go on")
  func removal() async {
    let store = testStore(rows: 2)
    for id in 1...2 { store.send(.row(id, .toggled)) { $0.rows[id: id]?.timer.isRunning = true } }
    store.send(.removed(1)) { $0.rows.remove(id: 1) }
    await store.advance(clock, by: interval)
    await store.receive(.row(2, .ticked)) { $0.rows[id: 2]?.timer.ticks = 1 }
    store.exhaustivity.remove(.requests)  // one was stopped, and one runs on
    await store.finish()
    #expect(clock.sleepers.isEmpty)
  }

  @Test(
    "a row that is removed and added again by consecutive actions is a new life", arguments: [true, false])
  func newLife(isImmediate: Bool) async throws {
    let stubborn = StubbornClock()
    let store = Store(
      initialState: TimerList(rows: 1), on: isImmediate ? .immediate : .serial(), reduce: TimerList.reduce)
    TimerList.connect(to: store, clock: stubborn, interval: interval)
    store.dispatch(.row(1, .toggled))
    try await stubborn.gate.waiters(atLeast: 1)
    store.dispatch(.removed(1))
    store.dispatch(.added(1))
    store.dispatch(.row(1, .toggled))
    // The old run heeds no cancellation and still waits; the new one does not wait for it.
    try await stubborn.gate.waiters(atLeast: 2)
    #expect(store.state.rows == [TimerRow(id: 1, ticks: 0, isRunning: true)])
    stubborn.gate.pass(2)
    _ = await store.values(of: \.ticks).first { $0 == 1 }
    // The new one comes back for its next tick; the old one, fenced, does not.
    try await stubborn.gate.waiters(atLeast: 1)
    store.dispatch(.row(1, .toggled))
    stubborn.gate.open()
    await store.settled()
    #expect(store.state.rows == [TimerRow(id: 1, ticks: 1, isRunning: false)])
    #expect(store.activity.fenced == 2)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }
}

extension TimerRow {
  fileprivate init(id: Int, ticks: Int, isRunning: Bool) {
    self.init(id: id)
    timer.ticks = ticks
    timer.isRunning = isRunning
  }
}
