import Millrace
import MillraceTesting
import Testing

@Suite("Everything at once")
struct EverythingFailsTests {
  @Test(
    "E5: everything fails at once, in many elements and beside them, and each failure is reduced once",
    arguments: Queue.allCases)
  func failing(queue: Queue) async throws {
    let count = 1_000
    let store = CornerStore(
      Corner(part: Piece(id: 1, wanted: ["a", "b"]), rows: Corner.rows(0..<count)), on: queue)
    let gate = Gate()
    let effect = PieceEffect(throwing: Mishap.self) { _, _ throws(Mishap) in
      await gate.waitIgnoringCancellation()
      throw Mishap()
    }
    store.connectRows { _, row in row.connect(effect) }
    store.connectPart { part in part.connect(effect) }
    try await gate.waiters(atLeast: count + 2)
    gate.open()
    await store.settled()
    #expect(store.state.log.count == count + 2)
    #expect(store.activity.entries.flatMap(\.work).filter { $0.phase != .finished }.isEmpty)
    await store.shutdown()
    #expect(store.activity.entries.isEmpty)
  }

  @Test(
    "E5: everything fails while everything ends: what is reduced is what was alive",
    arguments: Queue.allCases, [0, 1, 2])
  func failingWhileEnding(queue: Queue, way: Int) async throws {
    let count = 1_000
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: queue)
    let gate = Gate()
    let connection = store.connectRows { id, row in
      row.connect(
        when: { $0.wanted.first },
        failure: { (_: Mishap, _: String) in
          Change { corner in corner.log.append(corner.rows[id: id] == nil ? "stale" : "live") }
        },
        run: { _, _ throws(Mishap) in
          await gate.waitIgnoringCancellation()
          throw Mishap()
        })
    }
    try await gate.waiters(atLeast: count)
    gate.open()
    switch way {
    case 0: await store.send(Change { $0.rows = [] })
    case 1: connection.disconnect()
    default: await store.shutdown()
    }
    let reduced = store.state.log.count
    await store.settled()
    #expect(store.state.log.filter { $0 == "stale" }.count == 0)
    #expect(store.state.log.count == reduced)
    #expect(store.activity.entries.filter { !$0.isConnected }.isEmpty)
  }

  @Test(
    "C2: a component that disconnects itself in its update gets no other, whatever waits",
    arguments: Queue.allCases)
  func disconnectingItself(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (received, own, gate) = (Recorder<Int>(), Late<Connection>(), Gate())
    let component = ClosureComponent<Int> { count in
      received.append(count)
      await gate.waitIgnoringCancellation()
      own.value?.disconnect()
      own.value?.disconnect()
    }
    own.value = store.connect(component, to: \.count)
    try await gate.waiters(atLeast: 1)
    for _ in 0..<10 { await store.send(.add(1)) }
    gate.open()
    await own.value?.finished()
    for _ in 0..<10 { await store.send(.add(1)) }
    await store.settled()
    #expect(received.values == [0])
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L3: settled() inside a run waits for the other run, whose update waits for the first's connection")
  func crossed() async throws {
    let store = BoardStore(on: .serial)
    let (gate, order) = (Gate(), Recorder<String>())
    store.connect(
      JobEffect { [weak store] job, _ in
        if job == "waits" { await store?.settled() } else { await gate.waitIgnoringCancellation() }
        order.append(job.name)
      })
    store.dispatch(.askOnly(["waits", "goes on"]))
    try await gate.waiters(atLeast: 1)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(order.values == [])
    gate.open()
    await store.settled()
    #expect(order.values == ["goes on", "waits"])
  }

  @Test("L3: settled() returns early for a task that is cancelled, and what it waited for goes on")
  func cancelledSettling() async throws {
    let store = BoardStore(on: .serial)
    let gate = Gate()
    store.connect(
      JobEffect { _, send in
        await gate.waitIgnoringCancellation()
        await send(.add(1))
      })
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    let settling = Task { await store.settled() }
    settling.cancel()
    await settling.value
    gate.open()
    await store.settled()
    #expect(store.state.count == 1)
  }
}
