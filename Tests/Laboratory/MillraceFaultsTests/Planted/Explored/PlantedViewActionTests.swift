import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A list view that sends what was tapped in the rows that it showed, some of which are gone.
@Suite struct PlantedViewActionTests {
  struct State: Hashable, Sendable {
    var rows = ["a", "b"]
    var selected: Int?
  }

  enum Action: Hashable, Sendable {
    case removeLast
    case tapped(Int)
  }

  final class ListView: Component {
    func update(_ rows: [String]) async {}
  }

  private static func connect(to store: Store<State, Action>) {
    store.connect(ListView(), to: \.rows, named: "list")
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .removeLast:
        state.rows = state.rows.dropLast()
        state.selected = nil
      case .tapped(let row): if !version.isMended || row < state.rows.count { state.selected = row }
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.removeLast] }
      .component("list") { _ in [.tapped(0), .tapped(1)] }
      .always("a row that is there is selected") { $0.selected.map($0.rows.indices.contains) ?? true }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 2)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.removeLast)
      store.send(.tapped(1))
      // swift-format-ignore
      let holds: (PlantedViewActionTests.State) -> Bool = { $0.selected.map($0.rows.indices.contains) ?? true }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
