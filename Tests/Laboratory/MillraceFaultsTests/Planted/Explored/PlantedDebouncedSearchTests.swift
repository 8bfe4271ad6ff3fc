import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A search that waits for the user to rest, and is not run again for the query that was answered.
@Suite struct PlantedDebouncedSearchTests {
  struct State: Hashable, Sendable {
    var query = ""
    var isSearching = false
  }

  enum Action: Hashable, Sendable {
    case typed(String)
    case arrived
  }

  struct SearchEffect: EffectComponent {
    func requests(in state: State) -> Set<String> { state.query.isEmpty ? [] : [state.query] }
    func run(_ query: String, send: Send<Action>) async {}
  }

  private static func connect(to store: Store<State, Action>) {
    store.connect(SearchEffect().debounced(for: .milliseconds(300)), named: "search")
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .typed(let query):
        if !version.isMended || query != state.query { state.isSearching = true }
        state.query = query
      case .arrived: state.isSearching = false
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.typed("a"), .typed("ab")] }
      .outcomes(of: String.self) { _ in [.answers(.arrived)] }
      .always("no spinner without a search") { state, running in !state.isSearching || !running.isEmpty }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 4)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.typed("a"))
      if store.inProgress().contains("a") { store.answer("a", with: .arrived) }
      store.send(.typed("a"))
      // swift-format-ignore
      let holds: (PlantedDebouncedSearchTests.State, RunningRequests) -> Bool = { state, running in !state.isSearching || !running.isEmpty }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }
}
