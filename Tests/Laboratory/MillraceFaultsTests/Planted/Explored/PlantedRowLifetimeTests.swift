import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// Uploads in a list, each connected for as long as its row is there, that are counted.
@Suite struct PlantedRowLifetimeTests {
  struct Row: Identifiable, Hashable, Sendable {
    let id: Int
    var isUploading = false
  }

  struct State: Hashable, Sendable {
    var rows: KeyedArray<Row> = [Row(id: 1), Row(id: 2)]
    var busy = 0
  }

  enum RowAction: Hashable, Sendable {
    case start
    case uploaded
  }

  enum Action: Hashable, Sendable {
    case remove(Int)
    case row(Int, RowAction)
  }

  private static func connect(to store: Store<State, Action>) {
    store.connectEach(\.rows, action: Action.row) { id, row in
      row.connect(when: { $0.isUploading ? "upload" : nil }, named: "upload") { _, send in
        await send(.uploaded)
      }
    }
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .remove(let id):
        if state.rows.remove(id: id)?.isUploading == true, version.isMended { state.busy -= 1 }
      case .row(let id, .start):
        if state.rows[id: id]?.isUploading == false { state.busy += 1 }
        state.rows[id: id]?.isUploading = true
      case .row(let id, .uploaded):
        state.rows[id: id]?.isUploading = false
        state.busy -= 1
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { state in state.rows.ids.map { .row($0, .start) } + [.remove(1)] }
      .outcomes(of: String.self, sending: RowAction.self) { _ in [.answers(.uploaded)] }
      .never("something counts as busy while nothing is") { state, running in
        running.isEmpty && state.busy > 0
      }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 2)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.row(1, .start))
      store.send(.remove(1))
      let holds: (PlantedRowLifetimeTests.State, RunningRequests) -> Bool = { state, running in
        running.isEmpty && state.busy > 0
      }
      #expect(!holds(store.state, store.inProgress()))
      await store.finish()
    }
  }
}
