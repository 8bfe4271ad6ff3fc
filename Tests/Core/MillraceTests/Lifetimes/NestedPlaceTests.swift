import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Scopes, parts and elements within each other, of which some are emptied while others go on.
@Suite("Places within places", .timeLimit(.minutes(10)))
struct NestedPlaceTests {
  private let asked = Recorder<Int>()

  private func connectNumber(_ store: Store<Int, Change>) -> Connection {
    store.connect(when: { $0 > 0 ? $0 : nil }, run: { [asked] (number: Int, _) in asked.append(number) })
  }

  @Test("L2: an effect goes on though the last thing in another's place ends", arguments: Queue.allCases)
  func sibling(queue: Queue) async {
    let store = CornerStore(Corner(table: RowTable(rows: Corner.rows(0..<2))), on: queue)
    let table = store.scope(\.table)
    let inner = Late<Connection>()
    table.connectEach(\.rows, action: unchanged) { id, row in
      let connection = connectNumber(row.scope(\.value))
      if id == 0 { inner.value = connection }
    }
    table.connect(
      when: { $0.rows[id: 1]?.value ?? 0 > 0 ? 100 : nil },
      run: { [asked] (number: Int, _) in asked.append(number) })
    await store.settled()
    inner.value?.disconnect()
    store.change { $0.table.rows[id: 0]?.value = 7 }
    store.change { $0.table.rows[id: 1]?.value = 8 }
    await store.settled()
    #expect(asked.values.sorted() == [8, 100])
  }

  @Test("L2: a part's elements begin anew in a place that was empty", arguments: Queue.allCases)
  func emptied(queue: Queue) async {
    let store = CornerStore(Corner(), on: queue)
    let ended = Late<Connection>()
    let connection = store.connect(
      while: { $0.isOpen },
      { open in
        ended.value = open.scope(\.table).connectEach(\.rows, action: unchanged) { _, row in
          _ = connectNumber(row.scope(\.value))
        }
      })
    for round in 1...3 {
      store.change {
        $0.isOpen = true
        $0.table.rows = Corner.rows(0..<3)
      }
      store.change { $0.table.rows[id: 1]?.value = round }
      await store.settled()
      if round == 2 { ended.value?.disconnect() }
      store.change { $0.table.rows[id: 2]?.value = 10 * round }
      await store.settled()
      store.change { $0.isOpen = false }
    }
    #expect(asked.values.sorted() == [1, 2, 3, 10, 30])
    connection.disconnect()
    await connection.finished()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("R1: dispatchAndWait returns once its action is reduced, whatever earlier ones have stopped")
  func waitsBehindStops() async throws {
    let (store, gate) = (BoardStore(on: .serial), Gate())
    store.connect(
      JobEffect { _, _ in
        await withTaskCancellationHandler {
          try? await gate.wait()
        } onCancel: {
        }
      })
    for round in 1...200 {
      await store.send(.ask("job"))
      store.dispatch(.drop("job"))
      store.dispatchAndWait(.add(1))
      #expect(store.state.count == round)
    }
    await store.settled()
  }

  // MARK: Slices that never equal themselves

  private struct Reading: Equatable, Sendable {
    var value = Double.nan
    var count = 0
  }

  @Test("C4: what is beneath a slice that never equals itself stays where it is", arguments: Queue.allCases)
  func restless(queue: Queue) async {
    let store = Store<Reading, Int>(initialState: Reading(), on: queue.queue) { $0.count += $1 }
    let reading = store.scope(computed: { $0 }, action: { (step: Int) in step })
    let component = RecordingComponent<Int>()
    reading.connect(while: { $0.count < 50 }, { $0.connect(component, to: \.count) })
    for _ in 0..<40 {
      store.dispatch(1)
      // Looks at the slice in the midst of all that.
      reading.connect(RecordingComponent<Double>(), to: \.value)
    }
    await store.settled()
    #expect(component.received.values.last == 40)
    #expect(zip(component.received.values, component.received.values.dropFirst()).allSatisfy(<))
  }

  @Test("the actions of a part are those too that were sent through a part of it")
  func actionsOfInnerParts() async {
    let store = CornerStore(Corner(part: Piece(id: 1)), on: .immediate)
    let (outer, inner) = (Late<PieceStore>(), Late<PieceStore>())
    store.connectPart { part in
      outer.value = part
      part.connect(while: { $0.value == 0 }, { inner.value = $0 })
    }
    let actions = outer.value?.actions().makeAsyncIterator()
    inner.value?.dispatch(.log("inner"))
    outer.value?.dispatch(.log("outer"))
    store.change { $0.part = nil }
    var count = 0
    while await actions?.next() != nil { count += 1 }
    #expect(count == 2)
  }

  // MARK: Many slices of one

  private struct Many: Sendable {
    var numbers = Numbers()
    struct Numbers: Sendable { var all = Array(0..<20) }
    subscript(number: Int) -> Int { numbers.all[number] }
  }

  @Test("C1: of many slices those whose neighbours have gone are found when another connects to them")
  func manySlices() async {
    let store = Store<Many, Int>(initialState: Many(), on: .immediate) { $0.numbers.all[$1] += 1 }
    var components = (0..<20).map { _ in RecordingComponent<Int>() }
    let connections = (0..<20).map { store.connect(components[$0], to: \.[$0]) }
    await store.settled()
    for gone in [3, 19, 0] { connections[gone].disconnect() }
    // To slices that have gone, to those that have moved into their places, and to others.
    let again = [0, 3, 16, 17, 18, 19, 7]
    for number in again {
      components.append(RecordingComponent<Int>())
      store.connect(components[components.count - 1], to: \.[number])
    }
    await store.settled()
    for number in 0..<20 { store.dispatch(number) }
    await store.settled()
    for number in 0..<20 where ![0, 3, 19].contains(number) {
      #expect(components[number].finished.values == [number, number + 1])
    }
    for number in [0, 3, 19] { #expect(components[number].finished.values == [number]) }
    for (index, number) in again.enumerated() {
      #expect(components[20 + index].finished.values == [number, number + 1])
    }
    #expect(store.sliceCount == 20)
  }

  // MARK: What is looked at

  private struct Watching: Sendable {
    var number = 0
    let looks = Recorder<Void>()
    /// Another one for every ten.
    var part: Piece? {
      looks.append(())
      return number < 0 ? nil : Piece(id: number / 10, value: number)
    }
  }

  @Test("C4: an optional slice is evaluated once in a turn, also where another part begins")
  func evaluatedOnce() async {
    let watching = Watching()
    let store = Store<Watching, Int>(initialState: watching, on: .immediate) { $0.number = $1 }
    let parts = Recorder<Int>()
    store.connectIfPresent(
      \.part, action: { (number: Int) in number }, { _ in parts.append(parts.values.count) })
    for number in [1, 20, -1, -2, 30] {
      let before = watching.looks.values.count
      store.dispatch(number)
      #expect(watching.looks.values.count == before + 1, "at \(number)")
    }
    #expect(parts.values == [0, 1, 2])
  }

  // MARK: Identities

  /// Serves each job under an identity that is an object of its own.
  private struct CarriedEffect: EffectComponent {
    let release: @Sendable () -> Void
    func id(of job: Job) -> Carrier { Carrier(job.name.count, release) }
    func requests(in board: Board) -> Set<Job> { board.jobs }
    func run(_ job: Job, send: Send<Board.Action>) async { await send(.report(job.name)) }
  }

  @Test("L4: an identity may end its connection and send as it goes", arguments: Queue.allCases, [3, 9, 40])
  func identity(queue: Queue, releases: Int) async {
    let store = BoardStore(on: queue)
    let (connection, count) = (Late<Connection>(), Lock(0))
    connection.value = store.connect(
      CarriedEffect { [weak store] in
        guard
          count.withLock({
            $0 += 1
            return $0 == releases
          })
        else { return }
        connection.value?.disconnect()
        store?.dispatch(.add(1))
      })
    for round in 0..<20 {
      store.dispatch(.ask(Job(String(repeating: "a", count: round % 3 + 1), round)))
      if round % 5 == 4 { store.dispatch(.askOnly([])) }
    }
    await store.settled()
    #expect(await store.send(.report("end")) == .reduced)
    #expect(store.state.count <= 1)
  }
}
