import Millrace
import MillraceStorage
import MillraceTesting
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
