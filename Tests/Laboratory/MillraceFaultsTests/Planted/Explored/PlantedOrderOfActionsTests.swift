import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A playlist whose loading sends two actions, between which the user clears it.
@Suite struct PlantedOrderOfActionsTests {
  struct State: Hashable, Sendable {
    var isLoading = false
    var songs: [String] = []
    var selected: Int?
  }

  enum Action: Hashable, Sendable {
    case open
    case clear
    case loaded([String])
    case selected(Int)
  }

  private static func connect(to store: Store<State, Action>) {
    let playlist = { @Sendable (state: State) -> String? in state.isLoading ? "playlist" : nil }
    store.connect(when: playlist, named: "load") { _, _ in }
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .open: state.isLoading = true
      case .clear: (state.songs, state.selected) = ([], nil)
      case .loaded(let songs): state.songs = songs
      case .selected(let index):
        if !version.isMended || index < state.songs.count { state.selected = index }
        state.isLoading = false
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.open, .clear] }
      .outcomes(of: String.self) { _ in [.answers(.loaded(["a", "b"]), .selected(1))] }
      .always("a song that is there is selected") { $0.selected.map($0.songs.indices.contains) ?? true }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 4)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.open)
      if store.inProgress().contains("playlist") { store.send(.loaded(["a", "b"]), from: "playlist") }
      store.send(.clear)
      if store.inProgress().contains("playlist") { store.answer("playlist", with: .selected(1)) }
      // swift-format-ignore
      let holds: (PlantedOrderOfActionsTests.State) -> Bool = { $0.selected.map($0.songs.indices.contains) ?? true }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
