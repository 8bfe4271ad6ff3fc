import Dispatch
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What a store keeps of a slice, and the closures that it was given, go with what was connected last: with no lock held.
@Suite("Slices that are let go of with their last connection", .blocksThreads, .timeLimit(.minutes(10)))
struct ReleasedSlicesTests {
  private enum Place: CaseIterable, Sendable { case slice, beneath, scope }

  /// Whether another thread could read the state as each value went.
  private let readings = Recorder<Bool>()

  /// As it goes, has another thread read the state, and waits for that.
  private func carrier(_ number: Int, readBy store: Late<@Sendable () -> Int>) -> Carrier {
    Carrier(number) { [readings] in
      let isRead = Signal()
      DispatchQueue.global().async {
        _ = store.value?()
        isRead.give()
      }
      readings.append(isRead.wait())
    }
  }

  @Test("L4: another thread reads the state as the kept value of a slice goes", arguments: Place.allCases)
  private func slice(place: Place) async throws {
    let read = Late<@Sendable () -> Int>()
    let store = Store<Int, Int>(initialState: 0) { $0 += $1 }
    read.value = { [weak store] in store?.state ?? 0 }
    let slice = store.scope(computed: { carrier($0, readBy: read) })
    let noCarrier: @Sendable (Carrier) -> Int? = { _ in nil }
    let noNumber: @Sendable (Int) -> Int? = { _ in nil }
    let connection =
      switch place {
      case .slice: slice.connect(when: noCarrier) { (_: Int, _: Send<Int>) in }
      case .beneath: slice.connect(RecordingComponent<Int>(), to: \.number)
      case .scope: slice.scope(\.number).connect(when: noNumber) { (_: Int, _: Send<Int>) in }
      }
    await store.settled()
    let before = readings.count
    connection.disconnect()
    try await inTime { [readings] in try await readings.values(atLeast: before + 1) }
    #expect(readings.values.last == true)
  }

  @Test("L4: another thread reads the state as the closure of a connection goes that ended as it was made")
  func arrival() async throws {
    let read = Late<@Sendable () -> Int>()
    let store = Store<Int?, Int>(initialState: 0) { $0 = $1 }
    read.value = { [weak store] in store?.state ?? 0 }
    let same: @Sendable (Int) -> Int = { $0 }
    store.connectIfPresent(\.self, action: same) { part in
      let carrier = carrier(1, readBy: read)
      part.connect(RecordingComponent<Int>(), props: { $0 + carrier.number }).disconnect()
    }
    try await readings.values(atLeast: 1)
    #expect(readings.values == [true])
  }

  /// The values that nobody takes are replaced as displays are served, long after the slice itself has let go of them.
  @Test("L4: another thread reads the state as a value goes that a sequence has not taken")
  func sequence() async throws {
    struct Holder: Sendable { var carrier: Carrier }
    let read = Late<@Sendable () -> Int>()
    let hold = Hold()
    let store = Store<Holder, Int>(initialState: Holder(carrier: carrier(0, readBy: read)), on: Hold.queue) {
      state, number in
      if number == 1 { hold.stay() }
      state.carrier = carrier(number, readBy: read)
    }
    read.value = { [weak store] in store?.state.carrier.number ?? 0 }
    // Asked in every turn, so that each value of the slice is kept and goes.
    struct Watching: EffectComponent {
      func requests(in carrier: Carrier) -> Set<Int> { [] }
      func run(_ request: Int, send: Send<Int>) async {}
    }
    store.connect(Watching(), to: \.carrier)
    let values = store.values(of: \.carrier)
    await store.settled()
    store.dispatch(1)
    try await hold.isHeld()
    // More turns than one holding of the lock makes: displays are served after the last.
    for number in 2...200 { store.dispatch(number) }
    hold.letGo()
    try await readings.values(atLeast: 200)
    await store.settled()
    #expect(readings.values.allSatisfy { $0 })
    #expect(await values.makeAsyncIterator().next()?.number == 200)
  }

  @Test("L5: a slice watched by a lifetime alone is not kept once that has ended", arguments: Queue.allCases)
  func lifetime(queue: Queue) async throws {
    struct Desk: Equatable, Sendable {
      var carrier: Carrier
      var page: Piece? = Piece(id: 1)
    }
    struct Office: Sendable { var desk: Desk }
    let gone = Recorder<Int>()
    @Sendable func carrier(_ number: Int) -> Carrier { Carrier(number) { gone.append(number) } }
    let store = Store<Office, Int>(initialState: Office(desk: Desk(carrier: carrier(0))), on: queue.queue) {
      $0.desk.carrier = carrier($1)
    }
    let same: @Sendable (Int) -> Int = { $0 }
    let connection = store.scope(\.desk).connectIfPresent(\.page, action: same) { page in
      page.connect(when: { _ -> Int? in nil }, run: { _, _ in })
    }
    await store.settled()
    connection.disconnect()
    await connection.finished()
    await store.send(1)
    // Released after the turn.
    #expect(try await gone.values(atLeast: 1) == [0])
  }

  @Test("L4: the value of an element that is removed goes with no lock held")
  func element() {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      let carrier: Carrier
    }
    struct Shelf: Sendable { var rows = KeyedArray<Row>() }
    let areInTurn = Recorder<Bool>()
    let store = Store(initialState: Shelf(), on: .immediate) { (shelf: inout Shelf, row: Row?) in
      if let row { shelf.rows.append(row) } else { shelf.rows.remove(id: 1) }
    }
    store.connectEach(\.rows, action: unchanged) { _, row in
      row.connect(RecordingComponent<Int>(), to: \.id)
    }
    store.dispatch(
      Row(id: 1, carrier: Carrier(1) { [weak store] in areInTurn.append(store?.isInsideTurn ?? true) }))
    store.dispatch(nil)
    #expect(areInTurn.values == [false])
  }
}
