import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// A list of timers, each with an interval of its own.
private enum Timers {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var isOn = false
    var ticks = 0
  }

  struct State: Equatable, Sendable { var rows: KeyedArray<Row> = [] }

  enum RowAction: Equatable, Sendable { case toggled, ticked }

  enum Action: Equatable, Sendable {
    case added(Int)
    case removed(Int)
    case row(Int, RowAction)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .added(let id): state.rows.append(Row(id: id))
    case .removed(let id): state.rows.remove(id: id)
    case .row(let id, .toggled): state.rows[id: id]?.isOn.toggle()
    case .row(let id, .ticked): state.rows[id: id]?.ticks += 1
    }
  }

  /// A timer ticks each time as many seconds have passed as its id says.
  static func connect(to store: Store<State, Action>, clock: any Clock<Duration>) {
    store.connectEach(\.rows, action: Action.row) { id, row in
      row.connect(when: { $0.isOn ? id : nil }, named: "timer", longRunning: true) { seconds, send in
        while (try? await clock.sleep(for: .seconds(seconds))) != nil { await send(.ticked) }
      }
    }
  }
}

extension FeatureTests {
  @Test("each timer ticks by itself, as long as it is on and in the list") func timers() async {
    let (clock, rows) = (TestClock(), KeyedArray(uniqueElements: [Timers.Row(id: 1), Timers.Row(id: 2)]))
    let store = TestStore(initialState: .init(rows: rows), serving: .bodies, reduce: Timers.reduce) {
      Timers.connect(to: $0, clock: clock)
    }
    for id in 1...2 { store.send(.row(id, .toggled)) { $0.rows[id: id]?.isOn = true } }
    await store.advance(clock, by: .seconds(1))
    await store.receive(.row(1, .ticked)) { $0.rows[id: 1]?.ticks = 1 }
    store.send(.row(1, .toggled)) { $0.rows[id: 1]?.isOn = false }
    await store.advance(clock, by: .seconds(3))
    await store.receive(.row(2, .ticked)) { $0.rows[id: 2]?.ticks = 1 }
    await store.receive(.row(2, .ticked)) { $0.rows[id: 2]?.ticks = 2 }
    store.send(.removed(2)) { $0.rows.remove(id: 2) }
    await store.finish()
    #expect(clock.sleepers.isEmpty)
  }
}
