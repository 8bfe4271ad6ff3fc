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
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    try await inTime { await waiting.value }
    #expect(order.count == count + 1)
    #expect(order.values.last == "waited")
  }

  enum Lifetime: CaseIterable, Sendable { case part, rows, nested }

  @Test(
    "L3: finished() of a lifetime's connection waits for all through it", arguments: Queue.allCases,
    Lifetime.allCases)
  func finished(queue: Queue, lifetime: Lifetime) async throws {
    let store = CornerStore(
      Corner(isOpen: true, part: Piece(id: 1, wanted: ["a"]), rows: Corner.rows(0..<2)), on: queue)
    let connection =
      switch lifetime {
      case .part: store.connectPart { [stubborn] part in for _ in 0..<2 { part.connect(stubborn) } }
      case .rows: store.connectRows { [stubborn] _, row in row.connect(stubborn) }
      case .nested:
        store.connect(while: \.isOpen) { [stubborn, gate, order] store in
          store.connectPart { part in part.connect(stubborn) }
          let component = ClosureComponent<Int> { _ in
            await gate.waitIgnoringCancellation()
            order.append("updated")
          }
          store.connect(component, to: \.x)
        }
      }
    try await gate.waiters(atLeast: 2)
    // One of the rows goes before the connection ends.
    store.change { $0.rows.remove(id: 1) }
    connection.disconnect()
    try await waits(for: 2, in: store) { await connection.finished() }
  }

  @Test("L3: a shutdown names all of 3,000 bodies that were cleared and have not returned", .blocksThreads)
  func report() async throws {
    let count = 3_000
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: .serial)
    // Whoever stops the bodies is held up at the first, so that the shutdown begins meanwhile.
    let (entered, reported, isHeld) = (Recorder<Void>(), Signal(), Once())
    let effect = PieceEffect { [gate, order] _, _ in
      await withTaskCancellationHandler {
        await gate.waitIgnoringCancellation()
      } onCancel: {
        if isHeld.isFirst {
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

  @Test("L3: the activity lists all of 3,000 cleared bodies until they return", arguments: Queue.allCases)
  func activity(queue: Queue) async throws {
    let count = 3_000
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: queue)
    store.connectRows { [stubborn] _, row in row.connect(stubborn) }
    try await gate.waiters(atLeast: count)
    await store.send(Change { $0.rows = [] })
    #expect(store.activity.entries.flatMap(\.work).count == count)
    await store.settled(opening: gate)
    #expect(store.activity.entries.filter { !$0.isConnected }.isEmpty)
  }
}
