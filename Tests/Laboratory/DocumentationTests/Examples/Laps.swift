import Millrace
import MillraceEffects
import MillraceTesting
import Testing

struct Lap: Identifiable, Equatable, Sendable {
  let id: Int
  var ticks = 0
  var timers: Set = [TimerRequest("tick", .every(.seconds(1)))]
}

struct LapTable: Equatable, Sendable {
  var laps: KeyedArray<Lap> = []
}

enum LapAction: Sendable {
  case added(Lap)
  case removed(Int)
  case lap(Int, TimerEvent<String>)
}

// ConnectingComponents
func reduceLap(_ table: inout LapTable, _ action: LapAction) {
  switch action {
  case .added(let lap): table.laps.append(lap)
  case .removed(let id): table.laps.remove(id: id)
  case .lap(let id, .fired): table.laps[id: id]?.ticks += 1
  case .lap(let id, .refused): table.laps[id: id]?.timers = []
  }
}

@Suite struct LapExamples {
  @Test("each element has a timer of its own, until it is removed")
  func laps() async throws {
    let clock = TestClock()
    let store = Store(initialState: LapTable(), reduce: reduceLap)
    // ConnectingComponents
    store.connectEach(\.laps, action: LapAction.lap) { id, lap in
      lap.connect(TimerEffect(clock: clock), to: \.timers, longRunning: true)
    }
    await store.send(.added(Lap(id: 1)))
    await store.send(.added(Lap(id: 2)))
    try await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(1))
    let ticked = await store.first { $0.laps.map(\.ticks) == [1, 1] }
    #expect(ticked != nil)
    await store.send(.removed(1))
    await store.shutdown()
    #expect(store.state.laps.map(\.id) == [2])
  }
}
