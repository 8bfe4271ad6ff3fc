import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A download with a time limit; what it has shown stays when the time is over.
@Suite struct PlantedTimedOutLoadTests {
  struct State: Hashable, Sendable {
    var isLoading = false
    var percent: Int?
  }

  enum Action: Hashable, Sendable {
    case load
    case half
    case loaded
    case timedOut
  }

  struct LoadEffect: EffectComponent {
    func requests(in state: State) -> Set<String> { state.isLoading ? ["file"] : [] }
    func run(_ file: String, send: Send<Action>) async {}
  }

  private static func connect(to store: Store<State, Action>) {
    store.connect(LoadEffect().timingOut(after: .seconds(30), action: { _ in .timedOut }), named: "load")
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .load: state.isLoading = true
      case .half: state.percent = 50
      case .loaded: state = State()
      case .timedOut:
        state.isLoading = false
        if version.isMended { state.percent = nil }
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.load] }
      .outcomes(of: String.self) { _ in [.sends(.half).then(.answers(.loaded))] }
      .always("progress is that of a download") { $0.percent == nil || $0.isLoading }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 3)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.load)
      if store.inProgress().contains("file") { store.send(.half, from: "file") }
      if store.inProgress().contains("file") { store.answer("file", with: .timedOut) }
      let holds: (PlantedTimedOutLoadTests.State) -> Bool = { $0.percent == nil || $0.isLoading }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
