import Millrace
import MillraceTesting
import Testing

@Suite("Lives of parts and elements, at their edges", .timeLimit(.minutes(10)))
struct LifeEdgeTests {
  private let begun = Recorder<Int>()
  private let fates = Recorder<Delivery>()
  private let gate = Gate()

  private func makeStore(_ corner: Corner, on queue: Queue) -> CornerStore {
    let store = CornerStore(corner, on: queue)
    store.connectRows { [begun, fates, gate] id, row in
      begun.append(id)
      row.connect(
        PieceEffect { _, send in
          await gate.waitIgnoringCancellation()
          fates.append(await send(.log("row \(id)")))
        })
    }
    return store
  }

  @Test("L2: an element removed and added again by one action keeps its life", arguments: Queue.allCases)
  func keptInAction(queue: Queue) async throws {
    let store = makeStore(Corner(rows: Corner.rows(0..<3)), on: queue)
    try await gate.waiters(atLeast: 3)
    store.change { corner in
      corner.rows.remove(id: 1)
      corner.rows.append(Piece(id: 1, wanted: ["work"]))
    }
    store.change { corner in
      corner.rows = []
      corner.rows = Corner.rows(0..<3)
    }
    await store.settled(opening: gate)
    #expect(begun.values.sorted() == [0, 1, 2])
    #expect(fates.values == [.reduced, .reduced, .reduced])
  }

  @Test("L1: an element that is removed and added again by two actions is another", arguments: Queue.allCases)
  func idUsedAgain(queue: Queue) async throws {
    let store = makeStore(Corner(rows: Corner.rows(0..<2)), on: queue)
    let stores = Recorder<PieceStore>()
    store.connectRows { id, row in if id == 1 { stores.append(row) } }
    try await gate.waiters(atLeast: 2)
    await store.settledButRuns()
    store.change { $0.rows.remove(id: 1) }
    store.change { $0.rows.append(Piece(id: 1, wanted: ["work"], value: 5)) }
    try await stores.values(atLeast: 2)
    // Neither what the first one's run sends, nor what is sent through its store, comes to the second.
    #expect(await stores.values[0].send(.log("late")) == .fenced)
    #expect(await stores.values[1].send(.log("new")) == .reduced)
    #expect(stores.values[0].state.value == 0)
    #expect(stores.values[1].state.value == 5)
    await store.settled(opening: gate)
    #expect(begun.values.sorted() == [0, 1, 1])
    #expect(fates.values.filter { $0 == .fenced }.count == 1)
    #expect(fates.values.filter { $0 == .reduced }.count == 2)
  }

  @Test("L1: what is sent through the store of an ended element is fenced", arguments: Queue.allCases)
  func ended(queue: Queue) async throws {
    let store = CornerStore(Corner(part: Piece(id: 1), rows: [Piece(id: 1)]), on: queue)
    let stores = Recorder<PieceStore>()
    store.connectRows { _, row in stores.append(row) }
    store.connectPart { part in stores.append(part) }
    try await stores.values(atLeast: 2)
    let scopes = stores.values.map { $0.scope(\.value, action: { (line: String) in .log(line) }) }
    await store.send(
      Change { corner in
        corner.part = nil
        corner.rows = []
      })
    let began = Recorder<String>()
    for (piece, scope) in zip(stores.values, scopes) {
      #expect(await piece.send(.log("late")) == .fenced)
      #expect(piece.dispatch(.log("late")))
      for _ in 0..<2 { #expect(piece.dispatch(.log("late"))) }
      piece.dispatchAndWait(.log("late"))
      #expect(await scope.send("late") == .fenced)
      // What is connected through it is ended at once.
      let connection = piece.connect(PieceEffect { wanted, _ in began.append(wanted) })
      await connection.finished()
      let component = RecordingComponent<Int>()
      await piece.connect(component, to: \.value).finished()
      #expect(component.received.values == [])
      for await _ in piece.values(of: \.value) { began.append("value") }
      #expect(await piece.shutdown().isClean)
    }
    await store.settled()
    #expect(store.state.log == [])
    #expect(store.activity.fenced == 12)
    #expect(began.values == [])
  }

  @Test("C4: a slice that is not a number is not shown again and again", arguments: Queue.allCases)
  func notANumber(queue: Queue) async {
    struct Reading: Sendable, Equatable { var (value, other) = (Double.nan, 0) }
    let store = Store(initialState: Reading(), on: queue.queue) { (reading: inout Reading, value: Double) in
      reading.value = value
      reading.other += 1
    }
    let (received, asked) = (Recorder<Double>(), Recorder<Double>())
    store.connect(ClosureComponent<Double> { received.append($0) }, to: \.value)
    struct ReadingEffect: EffectComponent {
      let asked: Recorder<Double>
      func requests(in value: Double) -> Set<Int> {
        asked.append(value)
        return []
      }
      func run(_ request: Int, send: Send<Double>) async {}
    }
    store.connect(ReadingEffect(asked: asked), to: \.value)
    await store.settled()
    for _ in 0..<10 {
      await store.settled(after: .nan)
    }
    #expect(received.count == 1)
    #expect(asked.count == 1)
    await store.settled(after: 1)
    store.dispatch(.nan)
    await store.settled()
    #expect(received.values.map(\.isNaN) == [true, false, true])
    #expect(asked.values.map(\.isNaN) == [true, false, true])
  }

  @Test("L2: what a closure connects is asked in its very turn, not after the next action of the same drain")
  func askedInItsTurn() async throws {
    let (hold, asked) = (Hold(), Recorder<Set<String>>())
    let corner = Corner(part: Piece(id: 1, wanted: ["first"]))
    let store = CornerStore(initialState: corner, on: Hold.queue) { $1.apply(&$0) }
    store.change { _ in hold.stay() }
    try await hold.isHeld()
    store.connectPart { part in
      part.connect(
        when: { piece -> String? in
          asked.append(piece.wanted)
          return nil
        }, run: { _, _ in })
    }
    store.change { $0.part?.wanted = ["second"] }
    await store.settled(lettingGo: hold)
    #expect(asked.values.first == ["first"])
    #expect(asked.values.last == ["second"])
  }
}

extension Store {
  /// Returns when everything that was sent and connected has had its turn.
  func settledButRuns() async where State == Corner, Action == Change { await send(Change { _ in }) }
}
