import LonelyTimer
import Millrace
import MillraceTesting
import Testing

@testable import manytimers

@Suite("Timers in a list")
struct TimerListTests {
  private let clock = TestClock()
  private let interval = Duration.milliseconds(100)

  private func makeStore(rows: Int) -> Store<TimerList, TimerList.Action> {
    let store = Store(initialState: TimerList(rows: rows), on: .immediate, reduce: TimerList.reduce)
    TimerList.connect(to: store, clock: clock, interval: interval)
    return store
  }

  private func tick(_ store: Store<TimerList, TimerList.Action>) async throws {
    let (running, ticks) = (store.state.running, store.state.ticks)
    try await clock.sleepers(atLeast: running)
    clock.advance(by: interval)
    _ = await store.values(of: \.ticks).first { $0 == ticks + running }
  }

  @Test("each row starts and stops by itself")
  func independence() async throws {
    let store = makeStore(rows: 3)
    store.dispatch(.row(1, .toggled))
    store.dispatch(.row(3, .toggled))
    try await tick(store)
    store.dispatch(.row(1, .toggled))
    try await tick(store)
    #expect(store.state.rows.map(\.timer.ticks) == [1, 0, 2])
    #expect(try await clock.sleepers(atLeast: 1).count == 1)
    await store.shutdown()
    #expect(clock.sleepers.isEmpty)
  }

  @Test("equal requests of all rows run side by side: none takes another's place")
  func noCollision() async throws {
    let store = makeStore(rows: 12)
    for id in 1...12 { store.dispatch(.row(id, .toggled)) }
    #expect(try await clock.sleepers(atLeast: 12).count == 12)
    try await tick(store)
    try await tick(store)
    #expect(store.state.rows.map(\.timer.ticks) == Array(repeating: 2, count: 12))
    await store.shutdown()
  }

  @Test("a row that is removed takes its timer with it, and its neighbours go on")
  func removal() async throws {
    let store = makeStore(rows: 2)
    store.dispatch(.row(1, .toggled))
    store.dispatch(.row(2, .toggled))
    try await clock.sleepers(atLeast: 2)
    store.dispatch(.removed(1))
    #expect(clock.sleepers.count == 1)
    try await tick(store)
    #expect(store.state.rows == [TimerRow(id: 2, ticks: 1, isRunning: true)])
    await store.shutdown()
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

  @Test("whatever is done to the rows, exactly the timers that run are asleep", arguments: 1...5)
  func anyOrder(seed: UInt64) async throws {
    let store = makeStore(rows: 4)
    var random = Seeded(state: seed)
    for _ in 0..<60 {
      let id = Int.random(in: 1...6, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: store.dispatch(.added(id))
      case 1: store.dispatch(.removed(id))
      case 2: store.dispatch(.row(id, .reset))
      default: store.dispatch(.row(id, .toggled))
      }
      try await clock.sleepers(atLeast: store.state.running)
      #expect(clock.sleepers.count == store.state.running)
    }
    try await tick(store)
    await store.shutdown()
    #expect(clock.sleepers.isEmpty)
  }
}

/// SplitMix64: the same numbers for the same seed.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

extension TimerRow {
  fileprivate init(id: Int, ticks: Int, isRunning: Bool) {
    self.init(id: id)
    timer.ticks = ticks
    timer.isRunning = isRunning
  }
}
