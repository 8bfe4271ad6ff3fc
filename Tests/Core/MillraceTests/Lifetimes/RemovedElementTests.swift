import Millrace
import MillraceCollections
import MillraceTesting
import TestSupport
import Testing

@Suite("Elements that are removed", .timeLimit(.minutes(10))) struct RemovedElementTests {
  private final class Token: Equatable, Sendable {
    static func == (left: Token, right: Token) -> Bool { left === right }
  }

  private struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var count = 0
    var token: Token?
  }

  private struct Rows: Sendable {
    var rows: KeyedArray<Row> = []
    var isArmed = false
  }

  private enum Action: Sendable {
    case bump(Int)
    case remove(Int)
    case replace
    case arm
  }

  private static let same: @Sendable (Int, Action) -> Action = { _, action in action }

  private let own = Late<Store<Rows, Action>>()
  private let connection = Late<Connection>()

  private func store(_ rows: [Row], on queue: Queue) -> Store<Rows, Action> {
    var initial = Rows()
    for row in rows { initial.rows.append(row) }
    return Store(initialState: initial, on: queue.queue) { [own] state, action in
      switch action {
      case .bump(let id): state.rows[id: id]?.count += 1
      case .remove(let id): state.rows.remove(id: id)
      case .replace:
        // Two turns of one drain.
        own.value?.dispatch(.bump(1))
        own.value?.dispatch(.remove(1))
      case .arm: state.isArmed = true
      }
    }
  }

  @Test("E7: nothing keeps an element that changed and was removed in one drain", arguments: Queue.allCases)
  func keptByNothing(queue: Queue) async throws {
    var token: Token? = Token()
    weak let watched = token
    let store = store([Row(id: 1, token: token), Row(id: 2)], on: queue)
    own.value = store
    defer { own.value = nil }
    token = nil
    store.connectEach(\.rows, action: Self.same) { id, row in
      if id == 1 { row.connect(RecordingComponent<Int>(), to: \.count) }
    }
    await store.settled()
    await store.settled(after: .replace)
    #expect(store.state.rows.map(\.id) == [2])
    try await eventually { watched == nil }
  }

  @Test("L3: a selector ends more elements than one turn tears down", arguments: Queue.allCases)
  func endedBySelector(queue: Queue) async throws {
    let store = store((1...1_200).map { Row(id: $0) }, on: queue)
    connection.value = store.connectEach(\.rows, action: Self.same) { _, row in
      row.connect(RecordingComponent<Int>(), to: \.count)
    }
    store.connect(
      RecordingComponent<Bool>(),
      props: { [connection] state in
        if state.isArmed { connection.value?.disconnect() }
        return state.isArmed
      })
    await store.settled()
    store.dispatch(.arm)
    if queue == .immediate { #expect(store.activity.waiting == 0) }
    try await inTime { await store.settled() }
    try await inTime { [connection] in await connection.value?.finished() }
    #expect(store.activity.entries.count == 1)
  }
}
