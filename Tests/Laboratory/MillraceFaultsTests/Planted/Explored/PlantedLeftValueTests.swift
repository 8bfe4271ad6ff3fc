import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A connection that follows its address. It is closed just as another address is handed over, which begins another run.
@Suite struct PlantedLeftValueTests {
  struct State: Hashable, Sendable {
    var address: Int? = 1
    var isOnline = true
  }

  enum Action: Hashable, Sendable {
    case moved(Int)
    case closed
  }

  struct ConnectionEffect: HandoverEffectComponent {
    typealias Action = PlantedLeftValueTests.Action
    func id(of address: Int) -> String { "connection" }
    func requests(in state: State) -> Set<Int> { state.address.map { [$0] } ?? [] }
    func run(following addresses: RequestUpdates<Int>, send: Send<Action>) async {}
  }

  private static func connect(to store: Store<State, Action>) { store.connect(ConnectionEffect()) }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .moved(let address): state = State(address: address)
      case .closed:
        state.isOnline = false
        if version.isMended { state.address = nil }
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.moved(2)] }
      .outcomes(of: Int.self) { _ in [.answers(.closed)] }
      .always("nothing is connected offline") { state, running in state.isOnline || running.isEmpty }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 2)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.moved(2))
      if store.inProgress().contains(2) { store.answer(1, with: .closed) }
      // swift-format-ignore
      let holds: (PlantedLeftValueTests.State, RunningRequests) -> Bool = { state, running in state.isOnline || running.isEmpty }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }
}
