import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("The ends of what lifetimes connect", .timeLimit(.minutes(30)))
struct LifetimeEndTests {
  private let gate = Gate()
  private let order = Recorder<String>()

  private var stubborn: PieceEffect<Never> {
    PieceEffect { [gate, order] wanted, _ in
      await gate.waitIgnoringCancellation()
      order.append("\(wanted) returned")
    }
  }

  /// Opens the gate only when `wait` waits, or has returned too early.
  private func waits(
    for count: Int, in store: CornerStore, _ wait: @escaping @Sendable () async -> Void
  ) async throws {
    let waiting = Task { [order] in
      await wait()
      order.append("waited")
    }
    try await store.isAwaited { order.count > 0 }
    #expect(order.values == [])
    gate.open()
    try await inTime { await waiting.value }
    #expect(order.count == count + 1)
    #expect(order.values.last == "waited")
  }

  @Test(
    "L3: finished() of a part's connection waits for what was connected through it", arguments: Queue.allCases
  )
  func part(queue: Queue) async throws {
    let store = CornerStore(Corner(part: Piece(id: 1, wanted: ["a", "b"])), on: queue)
    let connection = store.connectPart { [stubborn] part in part.connect(stubborn) }
    try await gate.waiters(atLeast: 2)
    connection.disconnect()
    try await waits(for: 2, in: store) { await connection.finished() }
  }

  @Test("L3: finished() of the elements' connection waits for every element", arguments: Queue.allCases)
  func rows(queue: Queue) async throws {
    let store = CornerStore(Corner(rows: Corner.rows(0..<3)), on: queue)
    let connection = store.connectRows { [stubborn] _, row in row.connect(stubborn) }
    try await gate.waiters(atLeast: 3)
    // One of them goes before the connection ends.
    store.change { $0.rows.remove(id: 1) }
    connection.disconnect()
    try await waits(for: 3, in: store) { await connection.finished() }
  }

  @Test(
    "L3: finished() of a predicate's connection waits for updates and lifetimes within",
    arguments: Queue.allCases)
  func nested(queue: Queue) async throws {
    let store = CornerStore(Corner(isOpen: true, part: Piece(id: 1, wanted: ["a"])), on: queue)
    let connection = store.connect(while: \.isOpen) { [stubborn, gate, order] store in
      store.connectPart { part in part.connect(stubborn) }
      let component = ClosureComponent<Int> { _ in
        await gate.waitIgnoringCancellation()
        order.append("updated")
      }
      store.connect(component, to: \.x)
    }
    try await gate.waiters(atLeast: 2)
    connection.disconnect()
    try await waits(for: 2, in: store) { await connection.finished() }
  }

  @Test("L3: a shutdown names all of 3,000 bodies that were cleared and have not returned", .blocksThreads)
  func report() async throws {
    let count = 3_000
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: .serial)
    // Whoever stops the bodies is held up at the first, so that the shutdown begins meanwhile.
    let (entered, reported, isHeld) = (Recorder<Void>(), Signal(), Lock(false))
    let effect = PieceEffect { [gate, order] _, _ in
      await withTaskCancellationHandler {
        await gate.waitIgnoringCancellation()
      } onCancel: {
        let isFirst = isHeld.withLock { isHeld in
          defer { isHeld = true }
          return !isHeld
        }
        if isFirst {
          entered.append(())
          reported.wait()
        }
      }
      order.append("returned")
    }
    store.connectRows { id, row in row.connect(effect, named: "Row \(id)") }
    try await gate.waiters(atLeast: count)
    store.change { $0.rows = [] }
    try await entered.values(atLeast: 1)
    let report = await store.shutdown(hard: .zero)
    reported.give()  // before the gate opens: a task whose handlers are called cannot be resumed
    gate.open()
    #expect(Set(report.unfinished.map(\.connection.name)).count == count)
    #expect(report.unfinished.allSatisfy { entry in entry.work.count == 1 && !entry.isConnected })
    await store.shutdown()
    #expect(order.count == count)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L3: a shutdown names all of 3,000 bodies that were alive when it began")
  func liveReport() async throws {
    let count = 3_000
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: .serial)
    store.connectRows { [stubborn] id, row in row.connect(stubborn, named: "Row \(id)") }
    try await gate.waiters(atLeast: count)
    let report = await store.shutdown(hard: .zero)
    #expect(Set(report.unfinished.map(\.connection.name)).count == count)
    gate.open()
    await store.shutdown()  // The first one has not waited for the ends of what lifetimes connect.
    #expect(store.activity.entries.isEmpty)
  }

  @Test(
    "L3: the activity lists all of 3,000 bodies that were cleared and have not returned",
    arguments: Queue.allCases)
  func activity(queue: Queue) async throws {
    let count = 3_000
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: queue)
    store.connectRows { [stubborn] _, row in row.connect(stubborn) }
    try await gate.waiters(atLeast: count)
    await store.send(Change { $0.rows = [] })
    #expect(store.activity.entries.flatMap(\.work).count == count)
    gate.open()
    await store.settled()
    #expect(store.activity.entries.filter { !$0.isConnected }.isEmpty)
  }
}
