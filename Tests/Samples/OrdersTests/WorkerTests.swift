import Millrace
import MillraceExplorer
import MillraceStorage
import MillraceTestStore
import MillraceTesting
import RandomSession
import TestSupport
import Testing

@testable import orders

/// Counts what a worker asks of an engine, which has some orders in one partition.
private actor CountingEngine: Engine {
  private var queue: [Queued]
  private(set) var leases = 0
  private(set) var looks = 0
  private(set) var finished: [Int] = []

  init(orders: Int) {
    queue = (0..<orders).map { number in
      let key = OutboxKey(epoch: 1, number: UInt64(number))
      return Queued(
        position: "\(number)",
        content: .message(Message(key: key, order: Order(customer: "ann", number: number))))
    }
  }

  func put(_ message: Message, in partition: Int) {}
  func lease(to worker: String, for time: Duration) -> Lease? {
    leases += 1
    return queue.isEmpty ? nil : Lease(partition: 5, token: leases)
  }
  func next(of lease: Lease, limit: Int) -> [Queued] {
    looks += 1
    return Array(queue.prefix(limit))
  }
  func finish(_ messages: [Queued], of lease: Lease) -> Bool {
    finished.append(messages.count)
    queue.removeFirst(messages.count)
    return true
  }
  func packed(in partition: Int, after position: String, limit: Int) -> [Queued] { [] }
  func forget(_ partition: Int, upTo position: String) {}
}

@Suite struct WorkerTests {
  private let clock = TestClock()

  private func worker(over engine: CountingEngine) -> Store<Worker.State, Worker.Action> {
    let store = Store(initialState: Worker.State(hands: [1]), reduce: Worker.reduce)
    Worker.connect(to: store, engine: engine, name: "ann", lease: .seconds(1), clock: clock)
    return store
  }

  @Test("an idle hand asks ever more rarely, and writes nothing")
  func idle() async throws {
    let engine = CountingEngine(orders: 0)
    let store = worker(over: engine)
    while clock.now < .start + .seconds(60) {
      try await clock.sleepers(atLeast: 1)
      clock.advanceToNextDeadline()
    }
    await store.shutdown()
    #expect(await (300...620).contains(engine.leases), "each a read: every 100 to 200 ms in the end")
    #expect(await engine.looks == 0)
    #expect(await engine.finished.isEmpty)
  }

  @Test("a hand that finds its fill looks again at once, and 64 orders cost one lease and one end")
  func busy() async throws {
    let engine = CountingEngine(orders: 200)
    let store = worker(over: engine)
    let sleepers = try await clock.sleepers(atLeast: 1)
    #expect(await engine.finished == [64, 64, 64, 8])
    #expect(await engine.leases == 4)
    #expect(sleepers.map(\.deadline).allSatisfy { $0 > .start && $0 <= .start + .milliseconds(10) })
    #expect(store.state.packed == 200)
    await store.shutdown()
  }
}

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
