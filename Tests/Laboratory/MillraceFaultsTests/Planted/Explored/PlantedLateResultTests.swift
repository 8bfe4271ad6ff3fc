import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A profile that is refreshed while it is edited: what was read before the edit arrives after it.
@Suite struct PlantedLateResultTests {
  struct State: Hashable, Sendable {
    var name = "Ada"
    var edited: String?
    var isRefreshing = false
  }

  enum Action: Hashable, Sendable {
    case refresh
    case edit(String)
    case refreshed(String)
  }

  private static func connect(to store: Store<State, Action>) {
    let profile = { @Sendable (state: State) -> String? in state.isRefreshing ? "profile" : nil }
    store.connect(when: profile, named: "refresh") { _, send in
      await send(.refreshed("Ada"))
    }
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .refresh: state.isRefreshing = true
      case .edit(let name): (state.name, state.edited) = (name, name)
      case .refreshed(let name):
        if !version.isMended || state.edited == nil { state.name = name }
        state.isRefreshing = false
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.refresh, .edit("Eve")] }
      .outcomes(of: String.self) { _ in [.answers(.refreshed("Ada"))] }
      .always("an edit is not lost") { $0.edited == nil || $0.name == $0.edited }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 3)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.refresh)
      store.send(.edit("Eve"))
      if store.inProgress().contains("profile") { store.answer("profile", with: .refreshed("Ada")) }
      let holds: (PlantedLateResultTests.State) -> Bool = { $0.edited == nil || $0.name == $0.edited }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
