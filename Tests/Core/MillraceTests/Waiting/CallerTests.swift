import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Waiting by a caller that is cancelled, and from inside work", .timeLimit(.minutes(10)))
struct CallerTests {
  private let gate = Gate()
  private let order = Recorder<String>()

  /// Goes on until the gate opens, stopped or not.
  private var stubborn: JobEffect<Never> {
    JobEffect { [gate, order] job, _ in
      await gate.waitIgnoringCancellation()
      order.append("\(job) returned")
    }
  }

  /// Calls `wait` in a task that was cancelled before, and opens the gate only when that has had been looked at.
  private func whileCancelled(
    in store: BoardStore, _ wait: @escaping @Sendable () async -> Void
  ) async throws {
    let started = Gate()
    let waiting = Task { [order] in
      await started.waitIgnoringCancellation()
      await wait()
      order.append("waited")
    }
    waiting.cancel()
    started.open()
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    await waiting.value
    #expect(order.values == ["job returned", "waited"])
  }

  private func makeStore(on queue: Queue) async throws -> (BoardStore, Connection) {
    let store = BoardStore(on: queue)
    let connection = store.connect(stubborn)
    try await store.dispatch(.ask("job"), reaching: gate)
    return (store, connection)
  }

  @Test("L3: shutdown() by a cancelled task waits for what runs", arguments: Queue.allCases)
  func shutdown(queue: Queue) async throws {
    let (store, _) = try await makeStore(on: queue)
    try await whileCancelled(in: store) { await store.shutdown() }
  }

  @Test("L3: shutdown() by a task that is cancelled meanwhile waits for what runs", arguments: Queue.allCases)
  func cancelledMeanwhile(queue: Queue) async throws {
    let (store, _) = try await makeStore(on: queue)
    let waiting = Task { [order] in
      await store.shutdown()
      order.append("waited")
    }
    // The shutdown has closed the store once it refuses.
    try await eventually { !store.dispatch(.add(1)) }
    try await store.isAwaited { order.count > 0 }
    waiting.cancel()
    #expect(store.waiterCount == 1)
    gate.open()
    await waiting.value
    #expect(order.values == ["job returned", "waited"])
  }

  @Test("L3: finished() by a cancelled task waits for the runs of the connection", arguments: Queue.allCases)
  func finished(queue: Queue) async throws {
    let (store, connection) = try await makeStore(on: queue)
    connection.disconnect()
    try await whileCancelled(in: store) { await connection.finished() }
    await store.settled()
  }

  @Test("L3: a bag's disconnectAndFinish() by a cancelled task waits for the runs of its connections")
  func bag() async throws {
    let (store, connection) = try await makeStore(on: .serial)
    let bag = ConnectionBag()
    connection.store(in: bag)
    try await whileCancelled(in: store) { await bag.disconnectAndFinish() }
    await store.settled()
  }

  @Test("L3: a graceful shutdown by a cancelled task gives live runs their time", arguments: Queue.allCases)
  func graceful(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(
      JobEffect { [gate] job, send in
        try? await gate.wait()
        await send(.report("\(job) delivered"))
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    let (started, clock) = (Gate(), TestClock())
    let waiting = Task {
      await started.waitIgnoringCancellation()
      return await store.shutdown(graceful: .seconds(10), clock: clock)
    }
    waiting.cancel()
    started.open()
    try await eventually { !clock.sleepers.isEmpty && store.waiterCount > 0 }
    gate.open()
    #expect(await waiting.value.isClean)
    #expect(store.state.log == ["job delivered"])
  }

  @Test(
    "L3: shutdown() in a run or an update waits for the others", arguments: Queue.allCases, [false, true])
  func inside(queue: Queue, isUpdate: Bool) async throws {
    let (store, _) = try await makeStore(on: queue)
    let shutDown: @Sendable (Int) async -> Void = { [weak store, order] count in
      guard count == 1 else { return }
      await store?.shutdown()
      order.append("shut down")
    }
    if isUpdate {
      store.connect(ClosureComponent(shutDown), to: \.count)
    } else {
      store.connect(when: { $0.count == 1 ? 1 : nil }, run: { number, _ in await shutDown(number) })
    }
    store.dispatch(.add(1))
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    #expect(try await order.values(atLeast: 2) == ["job returned", "shut down"])
    await store.settled()
  }

  @Test("L3: finished() of its own connection inside a run waits for the connection's other runs")
  func finishedInsideRun() async throws {
    let store = BoardStore(on: .serial)
    let connection = Late<Connection>()
    connection.value = store.connect(
      JobEffect { [gate, order] job, _ in
        if job == "other" {
          await gate.waitIgnoringCancellation()
        } else {
          connection.value?.disconnect()
          await connection.value?.finished()
        }
        order.append("\(job) returned")
      })
    try await store.dispatch(.ask("other"), reaching: gate)
    store.dispatch(.ask("own"))
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    #expect(try await order.values(atLeast: 2) == ["other returned", "own returned"])
  }

  @Test("L3: settled() inside a run waits for the other run, whose update waits for the first's connection")
  func crossed() async throws {
    let store = BoardStore(on: .serial)
    store.connect(
      JobEffect { [weak store, gate, order] job, _ in
        if job == "waits" { await store?.settled() } else { await gate.waitIgnoringCancellation() }
        order.append(job.name)
      })
    try await store.dispatch(.askOnly(["waits", "goes on"]), reaching: gate)
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    await store.settled()
    #expect(order.values == ["goes on", "waits"])
  }
}
