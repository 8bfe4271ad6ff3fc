import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RandomSession
import TestSupport
import Testing

@testable import orders

/// A bug of the worker is found by an explorer, and in the recording of a long session.
///
/// The shop and the warehouse are not as good for that: their requests have the numbers of saves and the positions of
/// logs, so that no move before can be left out.
@Suite("The worker, explored, recorded and shrunk") struct WorkerSessionTests {
  private func explorer(
    _ reduce: @escaping Reducer<Worker.State, Worker.Action>, packing count: Int
  ) -> Explorer<Worker.State, Worker.Action> {
    Explorer(
      initialState: Worker.State(hands: [1, 2]), comparing: { ["\($0.hands.sorted())", "\($0.lost)"] },
      reduce: reduce, connect: Self.connect
    )
    .outcomes(of: Int.self, sending: Worker.Action.self) { hand in
      Array(repeating: .sends(.packed(3)), count: count) + [.sends(.lost(Lease(partition: hand, token: 7)))]
    }
    .always("both hands work") { $0.hands.count == 2 }
    .printingTests(using: "testStore()", comparing: "hands")
  }

  @Sendable private static func connect(to store: Store<Worker.State, Worker.Action>) {
    guard let engine = try? FolderEngine("/tmp") else { return }  // nothing runs: it is never asked
    Worker.connect(to: store, engine: engine, name: "ann", lease: .seconds(1))
  }

  /// The planted bug: the second lease that is lost costs a hand.
  @Sendable private static func discouragedReduce(_ state: inout Worker.State, _ action: Worker.Action) {
    Worker.reduce(&state, action)
    if case .lost(let lease) = action, state.lost > 1 { state.hands.remove(lease.partition) }
  }

  private func testStore(
    _ reduce: @escaping Reducer<Worker.State, Worker.Action> = Self.discouragedReduce
  ) -> TestStore<Worker.State, Worker.Action> {
    TestStore(initialState: Worker.State(hands: [1, 2]), reduce: reduce, connect: Self.connect)
  }

  @Test("a lost hand is found in two moves, and so in the recording of a long session by chance")
  func lostHand() async throws {
    let report = explorer(Self.discouragedReduce, packing: 0).explore(depth: 3)
    let shortest = try #require(report.counterexamples.first, "\(report)")
    #expect(shortest.steps.count == 2, "\(shortest)")
    let shrunk = try await explorer(Self.discouragedReduce, packing: 60).shrunkSession(seed: 1)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves == 186 && found.steps.count == 2, "\(shrunk)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore() } }
    await printedTest { testStore(Worker.reduce) }
  }

  /// The test to which the session is shrunk.
  private func printedTest(_ testStore: () -> TestStore<Worker.State, Worker.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    // swift-format-ignore
    if store.inProgress().contains(2) { store.send(.lost(Lease(partition: 2, token: 7)), from: 2) }
    // swift-format-ignore
    if store.inProgress().contains(1) { store.answer(1, with: .lost(Lease(partition: 1, token: 7))) }
    let holds: (Worker.State) -> Bool = { $0.hands.count == 2 }
    #expect(holds(store.state))
    await store.finish()
  }
}
