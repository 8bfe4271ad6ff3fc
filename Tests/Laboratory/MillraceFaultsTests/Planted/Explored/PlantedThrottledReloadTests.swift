import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A feed that is reloaded once a second at most; that a reload was dropped is forgotten.
@Suite struct PlantedThrottledReloadTests {
  struct State: Hashable, Sendable {
    var reload: Int?
    var isLoading = false
  }

  enum Action: Hashable, Sendable {
    case reload
    case arrived
    case dropped
  }

  struct ReloadEffect: EffectComponent {
    func requests(in state: State) -> Set<Int> { state.reload.map { [$0] } ?? [] }
    func run(_ number: Int, send: Send<Action>) async {}
  }

  private static func connect(to store: Store<State, Action>) {
    let throttled = ReloadEffect().throttled(for: .seconds(1), latest: false, dropped: { _ in .dropped })
    store.connect(throttled, named: "reload")
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .reload: state = State(reload: ((state.reload ?? 0) + 1) % 4, isLoading: true)
      case .arrived: state.isLoading = false
      case .dropped: if version.isMended { state.isLoading = false }
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.reload] }
      .outcomes(of: Int.self) { _ in [.answers(.arrived)] }
      .always("no spinner without a reload") { state, running in !state.isLoading || !running.isEmpty }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 3)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.reload)
      store.send(.reload)
      if store.inProgress().contains(2) { store.answer(2, with: .dropped) }
      // swift-format-ignore
      let holds: (PlantedThrottledReloadTests.State, RunningRequests) -> Bool = { state, running in !state.isLoading || !running.isEmpty }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }
}
