import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A page that is read from a cache and from the network, by two connections with equal requests.
@Suite struct PlantedEqualRequestsTests {
  struct State: Hashable, Sendable {
    var text: String?
    var isFresh = false
  }

  enum Action: Hashable, Sendable {
    case cached(String)
    case arrived(String)
  }

  private static func connect(to store: Store<State, Action>) {
    let page = { @Sendable (_: State) -> String? in "page" }
    store.connect(when: page, named: "cache") { _, send in await send(.cached("old")) }
    store.connect(when: page, named: "network") { _, send in await send(.arrived("new")) }
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .cached(let text): if !version.isMended || !state.isFresh { state.text = text }
      case .arrived(let text): (state.text, state.isFresh) = (text, true)
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .outcomes(of: String.self, from: "cache") { _ in [.answers(.cached("old"))] }
      .outcomes(of: String.self, from: "network") { _ in [.answers(.arrived("new"))] }
      .never("an old page in place of a fresh one") { $0.isFresh && $0.text == "old" }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 2)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      // swift-format-ignore
      if store.inProgress(named: "network").contains("page") { store.answer("page", named: "network", with: .arrived("new")) }
      if store.inProgress().contains("page") { store.answer("page", with: .cached("old")) }
      let holds: (PlantedEqualRequestsTests.State) -> Bool = { $0.isFresh && $0.text == "old" }
      #expect(!holds(store.state))
      await store.finish()
    }
  }
}
