import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A synchronization that is tried again for ever.
@Suite struct PlantedRetryLivelockTests {
  struct Offline: Error, Hashable {}

  struct State: Hashable, Sendable {
    var attempt: Int? = 0
    var isSynchronized = false
    var hasGivenUp = false
  }

  enum Action: Hashable, Sendable {
    case synchronized
    case failed
  }

  private static func connect(to store: Store<State, Action>) {
    let failure = { @Sendable (_: Offline, _: Int) in Action.failed }
    store.connect(when: \.attempt, failure: failure, named: "synchronize") { _, _ throws(Offline) in }
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .synchronized: state = State(attempt: nil, isSynchronized: true)
      case .failed where version.isMended && state.attempt == 1: state = State(attempt: nil, hasGivenUp: true)
      case .failed: state.attempt = state.attempt.map { 1 - $0 }
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .outcomes(of: Int.self) { _ in [.answers(.synchronized), .fails(Offline())] }
      .eventually("it comes to an end") { $0.isSynchronized || $0.hasGivenUp }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 2)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      if store.inProgress().contains(0) { store.fail(0, with: PlantedRetryLivelockTests.Offline()) }
      if store.inProgress().contains(1) { store.fail(1, with: PlantedRetryLivelockTests.Offline()) }
      // swift-format-ignore
      #expect(!(store.state == PlantedRetryLivelockTests.State(attempt: 0, isSynchronized: false, hasGivenUp: false) && Set(store.running) == [AnyHashable(0)]))
      await store.finish()
    }
  }
}
