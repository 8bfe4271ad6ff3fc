import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// A lamp that is dimmed by the closure of its lifetime, one turn after it was switched on.
@Suite struct PlantedStateBetweenTests {
  struct State: Hashable, Sendable {
    var isOn = false
    var percent = 100
  }

  enum Action: Hashable, Sendable {
    case switched
    case dimmed(Int)
  }

  private static func connect(to store: Store<State, Action>) {
    let isOn = { @Sendable (state: State) in state.isOn }
    store.connect(while: isOn, named: "lamp") { $0.dispatch(.dimmed(10)) }
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .switched:
        state.isOn.toggle()
        state.percent = version.isMended ? 10 : 100
      case .dimmed(let percent): state.percent = percent
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version), connect: Self.connect)
      .userActions { _ in [.switched] }
      .never("the lamp dazzles") { $0.isOn && $0.percent > 50 }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 1)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      let holds: (PlantedStateBetweenTests.State) -> Bool = { $0.isOn && $0.percent > 50 }
      var isFulfilled = true
      store.send(.switched) { isFulfilled = !holds($0) }
      #expect(isFulfilled)
      await store.finish()
    }
  }
}
