import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

@Suite struct RepeatingTimerExamples {
  /// A search that is made anew at each tick.
  enum Watch {
    struct State: Hashable, Sendable {
      var timers: Set = [TimerRequest("refresh", .every(.seconds(30)))]
      var isRefreshing = true

      var wanted: String? { isRefreshing ? "list" : nil }
    }

    enum Action: Sendable {
      case refreshed
      case timer(TimerEvent<String>)
    }

    @Sendable static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .refreshed: state.isRefreshing = false
      case .timer(.fired): state.isRefreshing = true
      case .timer: state.timers = []
      }
    }

    @Sendable static func connect(to store: Store<State, Action>) {
      store.connect(TimerEffect(), to: \.timers, action: Action.timer)
      store.connect(when: \.wanted) { _, send in await send(.refreshed) }
    }
  }

  @Test("a timer that ticks for ever")
  func ticks() {
    let explorer = Explorer(
      initialState: Watch.State(), reduce: Watch.reduce, connect: Watch.connect
    )
    .outcomes(of: String.self) { _ in [.answers(.refreshed)] }
    .alwaysReachable("it comes to rest") { !$0.isRefreshing }
    // ExploringAFeature, repeating timers
    let report =
      explorer
      .outcomes(of: TimerRequest<String>.self, sending: TimerEvent<String>.self) { timer in
        [.sends(.fired(timer.id, TimerTick(count: 1, due: .seconds(30))))]
      }
      .explore()
    #expect(report.isClean && report.counts.states == 2, "\(report)")
    #expect(explorer.explore(depth: 20).gaps.contains(.depth))
  }
}

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
