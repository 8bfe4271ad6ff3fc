import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A job that is polled until it is done, and is polled again when the user refreshes it afterwards.
@Suite struct PlantedPolledTimerTests {
  struct State: Hashable, Sendable {
    var isWatched = true
    var percent = 0
  }

  enum Action: Hashable, Sendable {
    case refresh
    case reached(Int)
  }

  struct StatusEffect: EffectComponent {
    func requests(in state: State) -> Set<String> { state.isWatched ? ["job"] : [] }
    func run(_ job: String, send: Send<Action>) async {}
  }

  private static func connect(to store: Store<State, Action>) {
    store.connect(StatusEffect().polled(every: .seconds(5)), named: "status")
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .refresh: if !version.isMended || state.percent < 100 { state.isWatched = true }
      case .reached(let percent):
        state.percent = percent
        if percent == 100 { state.isWatched = false }
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.refresh] }
      .outcomes(of: String.self) { _, run in [.answers(.reached(min(100, run.state.percent + 50)))] }
      .never("a job is polled that is done") { state, running in state.percent == 100 && !running.isEmpty }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 4)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      if store.inProgress().contains("job") { store.send(.reached(50), from: "job") }
      if store.inProgress().contains("job") { store.send(.reached(100), from: "job") }
      store.send(.refresh)
      // swift-format-ignore
      let holds: (PlantedPolledTimerTests.State, RunningRequests) -> Bool = { state, running in state.percent == 100 && !running.isEmpty }
      #expect(!holds(store.state, store.inProgress()))
      await store.finish()
    }
  }
}
