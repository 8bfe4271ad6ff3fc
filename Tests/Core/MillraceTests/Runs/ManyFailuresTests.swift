import Millrace
import MillraceTesting
import Testing

@Suite("Many failures at once", .timeLimit(.minutes(10)))
struct ManyFailuresTests {
  @Test("E5: everything fails at once, and each failure is reduced once", arguments: Queue.allCases)
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
    await store.settled(opening: gate)
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
}
