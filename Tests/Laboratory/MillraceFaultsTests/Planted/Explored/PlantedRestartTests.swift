import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// An order of which the program finds, when it begins again, that it is being paid, and not what is paid.
@Suite struct PlantedRestartTests {
  struct State: Hashable, Sendable {
    var order: Int?
    var isPaying = false
  }

  enum Action: Hashable, Sendable {
    case pay(Int)
    case paid
  }

  private static func connect(to store: Store<State, Action>) {
    store.connect(when: \.order, named: "pay") { _, send in await send(.paid) }
  }

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .pay(let order): state = State(order: order, isPaying: true)
    case .paid: state = State()
    }
  }

  private func testStore(_ state: State, _ version: PlantedVersion) -> TestStore<State, Action> {
    let restored = version.isMended && state.order == nil ? State() : state
    return TestStore(initialState: restored, reduce: Self.reduce, connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .userActions { _ in [.pay(7)] }
      .outcomes(of: Int.self) { _ in [.answers(.paid)] }
      .crashes { State(order: version.isMended ? $0.order : nil, isPaying: $0.isPaying) }
      .always("what is being paid is in progress") { state, running in !state.isPaying || !running.isEmpty }
      .printingTests(using: "testStore($state, version)")
      .explore()
    try report.check(version, moves: 2)
    await version.check {
      let store = testStore(PlantedRestartTests.State(order: nil, isPaying: false), version)
      store.exhaustivity = .none
      store.send(.pay(7))
      await store.finish()
      let storeAfter2 = testStore(PlantedRestartTests.State(order: nil, isPaying: true), version)
      storeAfter2.exhaustivity = .none
      // swift-format-ignore
      let holds: (PlantedRestartTests.State, RunningRequests) -> Bool = { state, running in !state.isPaying || !running.isEmpty }
      #expect(holds(storeAfter2.state, storeAfter2.inProgress()))
      await storeAfter2.finish()
    }
  }
}
