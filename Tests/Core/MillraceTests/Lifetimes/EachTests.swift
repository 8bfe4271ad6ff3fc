import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var value = 0
  var wanted: String?
}

private struct Catalog: Equatable, Sendable {
  var rows = KeyedArray<Row>()
  var other = 0
  var log: [String] = []
}

private enum CatalogAction: Sendable {
  case add(Int)
  case remove(Int)
  case replace(Int)
  case clear
  case fill(Range<Int>)
  case bump(Int)
  case want(Int, String?)
  case other
  case row(Int, String)
}

@Sendable private func reduce(_ state: inout Catalog, _ action: CatalogAction) {
  switch action {
  case .add(let id): state.rows.append(Row(id: id))
  case .remove(let id): state.rows.remove(id: id)
  case .replace(let id):
    state.rows.remove(id: id)
    state.rows.append(Row(id: id))
  case .clear: state.rows.removeAll()
  case .fill(let ids): state.rows = KeyedArray(uniqueElements: ids.map { Row(id: $0) })
  case .bump(let id): state.rows[id: id]?.value += 1
  case .want(let id, let text): state.rows[id: id]?.wanted = text
  case .other: state.other += 1
  case .row(let id, let text): state.log.append("\(id) \(text)")
  }
}

/// Answers what a row wants, and counts how often it was asked.
private struct RowEffect: EffectComponent {
  let asked: Recorder<Int>
  func requests(in row: Row) -> Set<String> {
    asked.append(row.id)
    return Set([row.wanted].compactMap(\.self))
  }
  func run(_ wanted: String, send: Send<String>) async { await send(wanted) }
}

@Suite("Lifetimes of the elements of a keyed collection", .timeLimit(.minutes(10)))
struct EachTests {
  private let store = Store(initialState: Catalog(), on: .immediate, reduce: reduce)
  private let begun = Recorder<Int>()
  private let asked = Recorder<Int>()

  private func connect() -> Connection {
    store.connectEach(\.rows, action: CatalogAction.row) { [begun, asked] id, row in
      begun.append(id)
      row.connect(RowEffect(asked: asked))
    }
  }

  @Test("every element has its own effects, which never collide") func independence() async {
    _ = connect()
    for id in 1...3 { store.dispatch(.add(id)) }
    for id in 1...3 { store.dispatch(.want(id, "same")) }
    await store.settled()
    #expect(store.state.log.sorted() == ["1 same", "2 same", "3 same"])
    #expect(begun.values == [1, 2, 3])
  }

  @Test("C4: an action asks only the effects of the elements that it changed") func proportionality() {
    store.dispatch(.fill(0..<100))
    _ = connect()
    #expect(asked.count == 100)
    store.dispatch(.bump(42))
    store.dispatch(.other)
    #expect(asked.values.dropFirst(100) == [42])
  }

  @Test("C4: an action asks no effect of an element that stays equal in other bytes")
  func equalInOtherBytes() {
    store.dispatch(.fill(0..<3))
    _ = connect()
    for _ in 0..<2 { store.dispatch(.want(1, String(repeating: "a", count: 100))) }
    #expect(asked.values.dropFirst(3) == [1])
  }

  @Test("an element removed by one action and added by the next is a new lifetime") func rebirth() async {
    _ = connect()
    store.dispatch(.add(1))
    store.dispatch(.remove(1))
    store.dispatch(.add(1))
    #expect(begun.values == [1, 1])
    store.dispatch(.replace(1))
    #expect(begun.values == [1, 1])  // nobody saw it gone
  }

  @Test("E3: what a run of a removed element sends is fenced, also when the element has come back")
  func fence() async throws {
    let sends = Recorder<Send<String>>()
    store.connectEach(\.rows, action: CatalogAction.row) { _, row in
      row.connect(when: \.wanted) { _, send in
        sends.append(send)
        for await _ in AsyncStream<Never>.makeStream().stream {}  // until it is cancelled
      }
    }
    store.dispatch(.add(1))
    store.dispatch(.want(1, "a"))
    let send = try await sends.values(atLeast: 1)[0]
    store.dispatch(.remove(1))
    store.dispatch(.add(1))
    #expect(await send("late") == .fenced)
    #expect(store.state.log == [])
    await store.settled()
  }

  @Test("E7: when all elements have gone nothing is left of them, however many they were")
  func tearDown() async {
    let connection = connect()
    store.dispatch(.fill(0..<2000))
    for id in stride(from: 0, to: 2000, by: 100) { store.dispatch(.want(id, "x")) }
    await store.settled()
    #expect(store.activity.entries.count == 2001)
    store.dispatch(.clear)
    await store.settled()
    #expect(store.activity.entries.count == 1)
    connection.disconnect()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("E3: a collection that is emptied is fenced at once, though most of it is torn down later")
  func emptied() async throws {
    let hold = Hold()
    let store = Store<Catalog, CatalogAction>(initialState: Catalog(), on: Hold.queue) { state, action in
      if case .other = action { return hold.stay() }
      reduce(&state, action)
    }
    let rows = Recorder<(id: Int, store: Store<Row, String>)>()
    store.connectEach(\.rows, action: CatalogAction.row) { [asked] id, row in
      rows.append((id, row))
      row.connect(RowEffect(asked: asked))
    }
    store.dispatch(.fill(0..<2000))
    store.dispatch(.bump(7))
    await store.settled()
    let gone = rows.values
    store.dispatch(.other)
    try await hold.isHeld()
    store.dispatch(.clear)
    // In the mailbox before what tears the last of them down; the second turn of the elements is another life.
    for row in gone { row.store.dispatch("late") }
    store.dispatch(.fill(0..<3))
    hold.letGo()
    await store.settled()
    #expect(store.state.log.isEmpty)
    #expect(store.activity.fenced == 2000)
    #expect(gone.first { $0.id == 7 }?.store.state == Row(id: 7, value: 1))
    #expect(rows.values.dropFirst(2000).map(\.id).sorted() == [0, 1, 2])
    #expect(store.activity.entries.count == 4)
  }

  @Test("tearing down much takes turns of its own, so that it holds nobody up", arguments: [0, 1])
  func slices(left: Int) {
    _ = connect()
    store.dispatch(.fill(0..<2000))
    let before = turnsMade
    store.dispatch(.fill(0..<left))
    #expect(turnsMade - before > 3)
    #expect(store.activity.entries.count == 1 + left)
  }

  private var turnsMade: UInt64 { store.engine.locked { store.engine.turn.number } }

  @Test("tearing down much to which nothing is connected comes to an end")
  func emptyLives() async throws {
    let store = Store(initialState: Catalog(), reduce: reduce)
    store.connectEach(\.rows, action: CatalogAction.row) { _, _ in }
    store.dispatch(.fill(0..<5_000))
    await store.send(.clear)
    // Not `settled()`, which is itself something that is decided.
    try await eventually { store.engine.locked { store.engine.endings.nodes.isEmpty } }
  }

  @Test("a store of an element that has gone keeps its last state") func lastState() {
    let rows = Recorder<Store<Row, String>>()
    store.connectEach(\.rows, action: CatalogAction.row) { _, row in rows.append(row) }
    store.dispatch(.add(7))
    store.dispatch(.bump(7))
    #expect(rows.values[0].state.value == 1)
    store.dispatch(.clear)
    #expect(rows.values[0].state.value == 1)
  }

  @Test("stores of elements that go together keep their last states while most are not torn down yet")
  func lastStates() async throws {
    let rows = Recorder<Store<Row, String>>()
    let lookOnce = Gate()
    let seen = Recorder<[Int]>()
    store.connectEach(\.rows, action: CatalogAction.row) { _, row in
      rows.append(row)
      row.connect(when: { _ in Optional(1) }) { _, _ in
        await withTaskCancellationHandler {
          await lookOnce.waitIgnoringCancellation()
        } onCancel: {
          // Between two holdings of the lock.
          if seen.count == 0 { seen.append(rows.values.map(\.state.value)) }
        }
      }
    }
    store.dispatch(.fill(0..<2000))
    for id in 0..<2000 { store.dispatch(.bump(id)) }
    try await lookOnce.waiters(atLeast: 2000)
    store.dispatch(.clear)
    #expect(seen.values.first == Array(repeating: 1, count: 2000))
    lookOnce.open()
    await store.settled()
  }

  @Test("components of elements get what their element became, and no more") func components() async {
    let logs = Recorder<RecordingComponent<Int>>()
    store.connectEach(\.rows, action: CatalogAction.row) { _, row in
      let log = RecordingComponent<Int>()
      logs.append(log)
      row.connect(log, to: \.value)
    }
    store.dispatch(.add(1))
    store.dispatch(.add(2))
    await store.settled()
    store.dispatch(.bump(2))
    await store.settled()
    #expect(logs.values.map(\.received.values) == [[0], [0, 1]])
  }

  @Test("of many elements that one action changes every component is told") func manyChanged() async {
    let store = Store(initialState: Catalog(), on: .immediate) { (table: inout Catalog, step: Int) in
      if table.rows.isEmpty { table.rows = KeyedArray(uniqueElements: (0..<100).map { Row(id: $0) }) }
      table.rows.mutateEach { $0.value += step }
    }
    let logs = Recorder<RecordingComponent<Int>>()
    let action: @Sendable (Int, Int) -> Int = { $1 }
    store.connectEach(\.rows, action: action) { _, row in
      let log = RecordingComponent<Int>()
      logs.append(log)
      row.connect(log, to: \.value)
    }
    for step in 0...3 {
      store.dispatch(step)
      await store.settled()
    }
    #expect(logs.values.count == 100)
    #expect(logs.values.allSatisfy { $0.received.values == [0, 1, 3, 6] })
  }

  @Test("C5: a value that is let go of may end its whole collection, whenever it goes", arguments: [1, 2])
  func endedByValue(changes: Int) async throws {
    let none = KeyedArray<Box>()
    let store = Store(initialState: none, on: .immediate) { (boxes: inout KeyedArray<Box>, _: Int) in
      if boxes.isEmpty { boxes = KeyedArray(uniqueElements: (0..<50).map { Box(id: $0) }) }
      boxes.mutateEach { $0.token = Token() }
    }
    let gate = Gate()
    let action: @Sendable (Int, Int) -> Int = { $1 }
    store.dispatch(0)
    let connection = store.connectEach(\.self, action: action) { _, box in
      // With one action, what the elements had goes as they are looked at; with two, what waits for their components.
      if changes == 2 { box.connect(RecordingComponent<Token>(holdingAt: gate), to: \.token) }
    }
    if changes == 2 { try await gate.waiters(atLeast: 1) }
    for change in 1...changes {
      if change == changes { for box in store.state { box.token.whenGone { connection.disconnect() } } }
      store.dispatch(change)
    }
    #expect(store.state.count == 50)
    gate.open()
    try await inTime { await connection.finished() }
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }
}

private struct Box: Identifiable, Equatable, Sendable {
  let id: Int
  var token = Token()
}

/// Does something as it goes.
private final class Token: Equatable, Sendable {
  private let action = Recorder<@Sendable () -> Void>()

  static func == (left: Token, right: Token) -> Bool { left === right }

  func whenGone(_ action: @escaping @Sendable () -> Void) { self.action.append(action) }

  deinit { for action in action.values { action() } }
}
