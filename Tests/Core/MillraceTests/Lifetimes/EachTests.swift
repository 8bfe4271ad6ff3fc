import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Answers what a row wants, and counts how often it was asked.
private struct RowEffect: EffectComponent {
  typealias Action = Change
  let asked: Recorder<Int>
  func requests(in row: Piece) -> Set<String> {
    asked.append(row.id)
    return row.wanted
  }
  func run(_ wanted: String, send: Send<Change>) async { await send(.log(wanted)) }
}

@Suite("Lifetimes of the elements of a keyed collection", .timeLimit(.minutes(10)))
struct EachTests {
  private let store = CornerStore(on: .immediate)
  private let asked = Recorder<Int>()

  @discardableResult private func connect() -> Connection {
    store.connectRows { [asked] _, row in row.connect(RowEffect(asked: asked)) }
  }

  private func fill(_ ids: Range<Int>, in store: CornerStore) {
    store.change { $0.rows = Corner.rows(ids, wanting: []) }
  }

  @Test("E9: every element has its own effects, which never collide") func independence() async {
    connect()
    store.change { $0.rows = Corner.rows(1..<4) }
    await store.settled()
    #expect(store.state.log == ["work", "work", "work"])
    #expect(asked.values.sorted() == [1, 2, 3])
  }

  @Test("C4: an action asks only the effects of the elements that it changed") func proportionality() {
    fill(0..<100, in: store)
    connect()
    #expect(asked.count == 100)
    store.change { $0.rows[id: 42]?.value += 1 }
    store.change { $0.x += 1 }
    #expect(asked.values.dropFirst(100) == [42])
  }

  @Test("C4: an action asks no effect of an element that stays equal in other bytes")
  func equalInOtherBytes() {
    fill(0..<3, in: store)
    connect()
    for _ in 0..<2 { store.change { $0.rows[id: 1]?.wanted = [String(repeating: "a", count: 100)] } }
    #expect(asked.values.dropFirst(3) == [1])
  }

  @Test("E7: when all elements have gone nothing is left of them, however many they were")
  func tearDown() async {
    let connection = connect()
    fill(0..<2000, in: store)
    store.change { for id in stride(from: 0, to: 2000, by: 100) { $0.rows[id: id]?.wanted = ["x"] } }
    await store.settled()
    #expect(store.activity.entries.count == 2001)
    store.change { $0.rows.removeAll() }
    await store.settled()
    #expect(store.activity.entries.count == 1)
    connection.disconnect()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("E3: a collection that is emptied is fenced at once, though most of it is torn down later")
  func emptied() async throws {
    let hold = Hold()
    let store = CornerStore(initialState: Corner(), on: Hold.queue) { $1.apply(&$0) }
    let rows = Recorder<(id: Int, store: PieceStore)>()
    store.connectRows { [asked] id, row in
      rows.append((id, row))
      row.connect(RowEffect(asked: asked))
    }
    fill(0..<2000, in: store)
    store.change { $0.rows[id: 7]?.value += 1 }
    await store.settled()
    let gone = rows.values
    store.change { _ in hold.stay() }
    try await hold.isHeld()
    store.change { $0.rows.removeAll() }
    // In the mailbox before what tears the last of them down; the second turn of the elements is another life.
    for row in gone { row.store.dispatch(.log("late")) }
    fill(0..<3, in: store)
    await store.settled(lettingGo: hold)
    #expect(store.state.log.isEmpty)
    #expect(store.activity.fenced == 2000)
    #expect(gone.first { $0.id == 7 }?.store.state == Piece(id: 7, value: 1))
    #expect(rows.values.dropFirst(2000).map(\.id).sorted() == [0, 1, 2])
    #expect(store.activity.entries.count == 4)
  }

  @Test("tearing down much takes turns of its own, so that it holds nobody up", arguments: [0, 1])
  func slices(left: Int) {
    connect()
    fill(0..<2000, in: store)
    let before = store.turnsMade
    fill(0..<left, in: store)
    #expect(store.turnsMade - before > 3)
    #expect(store.activity.entries.count == 1 + left)
  }

  @Test("tearing down much to which nothing is connected comes to an end")
  func emptyLives() async throws {
    let store = CornerStore(on: .serial)
    store.connectRows { _, _ in }
    fill(0..<5_000, in: store)
    await store.send(Change { $0.rows.removeAll() })
    // Not `settled()`, which is itself something that is decided.
    try await eventually { !store.isEnding }
  }

  @Test("stores of elements that go together keep their last states while most are not torn down yet")
  func lastStates() async throws {
    let rows = Recorder<PieceStore>()
    let lookOnce = Gate()
    let seen = Recorder<[Int]>()
    store.connectRows { _, row in
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
    fill(0..<2000, in: store)
    store.change { $0.rows.mutateEach { $0.value += 1 } }
    try await lookOnce.waiters(atLeast: 2000)
    store.change { $0.rows.removeAll() }
    #expect(seen.values.first == Array(repeating: 1, count: 2000))
    await store.settled(opening: lookOnce)
  }

  @Test("of many elements that one action changes every component is told") func manyChanged() async {
    fill(0..<100, in: store)
    let logs = Recorder<RecordingComponent<Int>>()
    store.connectRows { _, row in
      let log = RecordingComponent<Int>()
      logs.append(log)
      row.connect(log, to: \.value)
    }
    for step in 0...3 {
      store.change { $0.rows.mutateEach { $0.value += step } }
      await store.settled()
    }
    #expect(logs.values.count == 100)
    #expect(logs.values.allSatisfy { $0.received.values == [0, 1, 3, 6] })
    store.change { $0.rows[id: 1]?.value = 9 }
    await store.settled()
    #expect(logs.values.count { $0.received.values == [0, 1, 3, 6] } == 99)
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
