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

  @Test("L5: they end with a part and its scopes", arguments: Observing.allCases, [false, true])
  func part(observing: Observing, byConnection: Bool) async throws {
    for queue in Queue.allCases {
      let released = Recorder<Void>()
      let store = CornerStore(Corner(part: Piece(id: 1)), on: queue)
      let connection = store.connectPart { part in
        for place in [part, part.scope(\.self)] {
          observing.connect(to: place, holding: OnRelease { released.append(()) })
        }
      }
      await store.settled()
      if byConnection { connection.disconnect() } else { store.change { $0.part = nil } }
      if byConnection { try await inTime { await connection.finished() } }
      try await released.values(atLeast: 2)
      await store.settled()
      #expect(store.activity.entries.count == (byConnection ? 0 : 1))
    }
  }

  @Test("what was recorded before the end is told, with the ending action", arguments: Queue.allCases)
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
