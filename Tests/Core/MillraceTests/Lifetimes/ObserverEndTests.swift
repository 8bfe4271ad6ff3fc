import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Observers of a part that ends", .timeLimit(.minutes(10)))
struct ObserverEndTests {
  /// What observes through the store of a part or of an element, with something that its closure holds.
  enum Observing: CaseIterable, Sendable {
    case actions
    case onAction
    case events

    func connect(to store: PieceStore, holding cargo: OnRelease) {
      switch self {
      case .actions:
        let actions = store.actions()
        Task.detached {
          for await _ in actions {}
          withExtendedLifetime(cargo) {}
        }
      case .onAction: store.onAction { _, _ in withExtendedLifetime(cargo) {} }
      case .events: store.observe(Events(cargo: cargo))
      }
    }
  }

  final class Events: StoreObserver {
    let cargo: OnRelease
    init(cargo: OnRelease) { self.cargo = cargo }
    func observe(_ event: StoreEvent) {}
  }

  @Test(
    "L5: they end with an element, and let go of what they hold", arguments: Observing.allCases,
    Queue.allCases)
  func element(observing: Observing, queue: Queue) async throws {
    let released = Recorder<Void>()
    let store = CornerStore(on: queue)
    store.connectRows { _, row in observing.connect(to: row, holding: OnRelease { released.append(()) }) }
    for id in 0..<20 {
      store.change { $0.rows = Corner.rows(id..<(id + 2)) }
      store.change { $0.rows.remove(id: id + 1) }
    }
    store.change { $0.rows = KeyedArray() }
    try await released.values(atLeast: 40)
    await store.settled()
    #expect(store.activity.entries.count == 1)
  }

  @Test("L5: they end with an optional part and its scopes", arguments: Observing.allCases, Queue.allCases)
  func part(observing: Observing, queue: Queue) async throws {
    let released = Recorder<Void>()
    let store = CornerStore(on: queue)
    store.connectPart { part in
      let whole = part.scope(\.self)
      for place in [part, whole] { observing.connect(to: place, holding: OnRelease { released.append(()) }) }
    }
    store.change { $0.part = Piece(id: 1) }
    store.change { $0.part = nil }
    try await released.values(atLeast: 2)
    await store.settled()
    #expect(store.activity.entries.count == 1)
  }

  @Test("L3: they end with the connection of the lifetime", arguments: Observing.allCases, Queue.allCases)
  func connection(observing: Observing, queue: Queue) async throws {
    let released = Recorder<Void>()
    let store = CornerStore(Corner(part: Piece(id: 1)), on: queue)
    let connection = store.connectPart { part in
      observing.connect(to: part, holding: OnRelease { released.append(()) })
    }
    await store.settled()
    connection.disconnect()
    try await inTime { await connection.finished() }
    try await released.values(atLeast: 1)
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }

  @Test(
    "what was recorded before the end is told: the action that ends the part, too", arguments: Queue.allCases)
  func last(queue: Queue) async throws {
    let reported = Recorder<Int>()
    let store = CornerStore(Corner(part: Piece(id: 1)), on: queue)
    store.connectPart { part in
      part.onAction { _, piece in reported.append(piece.value) }
      part.connect(when: { Optional($0.id) }) { (_: Int, send: Send<Change>) in
        for _ in 0..<3 { await send(Change { $0.part?.value += 1 }) }
        await send(Change { $0.part = nil })
      }
    }
    await store.settled()
    #expect(reported.values == [1, 2, 3, 3])
    #expect(store.activity.entries.count == 1)
  }
}
