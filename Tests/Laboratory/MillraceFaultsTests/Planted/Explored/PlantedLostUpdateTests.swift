import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

/// A save that goes on while another text is handed over to it, and whose answer counts for that one.
@Suite struct PlantedLostUpdateTests {
  struct State: Hashable, Sendable {
    var text = 0
    var saved = 0
    /// What the last answer was about.
    var onDisk = 0
  }

  enum Action: Hashable, Sendable {
    case edited(Int)
    case stored(Int)
  }

  struct SaveEffect: HandoverEffectComponent {
    typealias Action = PlantedLostUpdateTests.Action
    func id(of text: Int) -> String { "save" }
    func requests(in state: State) -> Set<Int> { state.text == state.saved ? [] : [state.text] }
    func run(following texts: RequestUpdates<Int>, send: Send<Action>) async {}
  }

  private static func reducer(_ version: PlantedVersion) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .edited(let text): state.text = text
      case .stored(let text):
        state.saved = version.isMended ? text : state.text
        state.onDisk = text
      }
    }
  }

  private func testStore(_ version: PlantedVersion) -> TestStore<State, Action> {
    TestStore(initialState: State(), reduce: Self.reducer(version)) { $0.connect(SaveEffect()) }
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) async throws {
    let report = Explorer(initialState: State(), reduce: Self.reducer(version)) { $0.connect(SaveEffect()) }
      .userActions { $0.text < 2 ? [.edited($0.text + 1)] : [] }
      .outcomes(of: Int.self) { [.answers(.stored($0))] }
      .always("what counts as saved is on the disk") { $0.saved == $0.onDisk }
      .printingTests(using: "testStore(version)")
      .explore()
    try report.check(version, moves: 3)
    await version.check {
      let store = testStore(version)
      store.exhaustivity = .none
      store.send(.edited(1))
      store.send(.edited(2))
      if store.inProgress().contains(2) { store.answer(1, with: .stored(1)) }
      // always("what counts as saved is on the disk") at MillraceFaultsTests/PlantedLostUpdateTests.swift:49
      let holds: (PlantedLostUpdateTests.State) -> Bool = { $0.saved == $0.onDisk }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
