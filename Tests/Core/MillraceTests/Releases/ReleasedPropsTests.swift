import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What a store keeps of props is let go of while it exchanges them: a `deinit` may end the connection meanwhile.
@Suite("Props that end their own connection as they go", .timeLimit(.minutes(10)))
struct ReleasedPropsTests {
  /// A state whose slice carries an object.
  private struct Holder: Equatable, Sendable { var carrier = Carrier(0) }

  private static func makeStore(on queue: Queue) -> Store<Holder, Carrier> {
    Store(initialState: Holder(), on: queue.queue) { $0.carrier = $1 }
  }

  private let connection = Late<Connection>()

  /// Ends the connection as soon as the store lets go of it.
  private var ending: Carrier { Carrier(1) { [connection] in connection.value?.disconnect() } }

  @Test("L4: the props of a component end its connection as newer ones come", arguments: Queue.allCases)
  func component(queue: Queue) async {
    let store = Self.makeStore(on: queue)
    let received = Recorder<Int>()
    connection.value = store.connect(ClosureComponent<Carrier> { received.append($0.number) }, to: \.carrier)
    await store.settled(after: ending)
    store.dispatch(Carrier(2))
    await store.settled()
    // What has been replaced is released after its turn: a store may have settled before.
    await connection.value?.finished()
    await store.settled(after: Carrier(3))
    #expect(received.values.last != 3)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("C2: no update is begun after such props have ended their connection", arguments: Queue.allCases)
  func pending(queue: Queue) async throws {
    let store = Self.makeStore(on: queue)
    let gate = Gate()
    let received = Recorder<Int>()
    let ended = Recorder<Int>()
    let component = ClosureComponent<Carrier> { carrier in
      received.append(carrier.number)
      await gate.waitIgnoringCancellation()
    }
    connection.value = store.connect(component, to: \.carrier)
    try await gate.waiters(atLeast: 1)
    // Waits while the first update goes on, is replaced by the next and ends the connection as it goes.
    store.dispatch(
      Carrier(1) { [connection] in
        connection.value?.disconnect()
        ended.append(received.count)
      })
    await store.send(Carrier(2))
    await store.send(Carrier(3))
    try await ended.values(atLeast: 1)
    await store.settled(opening: gate)
    #expect(received.values == [0])
  }

  @Test("L4: a bag in the state, dropped with the props that carry it, ends the component's connection")
  func bag() async throws {
    struct Bagged: Equatable, Sendable {
      var number = 0
      var bag: ConnectionBag?
      static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    }
    let store = Store(initialState: Bagged(), on: .serial()) { (state: inout Bagged, next: Bagged) in
      state = next
    }
    let received = Recorder<Int>()
    let bag = Late<ConnectionBag>()
    bag.value = ConnectionBag()
    store.connect(ClosureComponent<Bagged> { received.append($0.number) }, props: { $0 })
      .store(in: bag.value ?? ConnectionBag())
    store.dispatch(Bagged(number: 1, bag: bag.value))
    bag.value = nil
    await store.settled()
    for number in 2..<4 {
      await store.settled(after: Bagged(number: number))
    }
    try await eventually { store.activity.entries.isEmpty }
    await store.settled(after: Bagged(number: 4))
    #expect(received.values.last != 4)
  }

  @Test("L4: the props of a view end its connection as newer ones come", arguments: Queue.allCases)
  @MainActor func view(queue: Queue) async throws {
    final class CarrierView: ViewComponent {
      var received: [Int] = []
      var props = Carrier(-1) { didSet { received.append(props.number) } }
    }
    let store = Self.makeStore(on: queue)
    let view = CarrierView()
    connection.value = store.connect(view, to: \.carrier)
    await store.settled(after: ending)
    for number in 2..<4 {
      await store.settled(after: Carrier(number))
    }
    try await eventually { store.activity.entries.isEmpty }
    await store.settled(after: Carrier(4))
    #expect(view.received.last != 4)
  }

  @Test("L4: the slice of an effect ends its connection as the next is kept", arguments: Queue.allCases)
  func effect(queue: Queue) async throws {
    struct CarrierEffect: EffectComponent {
      func requests(in carrier: Carrier) -> Set<Int> { [carrier.number] }
      func run(_ number: Int, send: Send<Carrier>) async {}
    }
    let store = Self.makeStore(on: queue)
    connection.value = store.connect(CarrierEffect(), to: \.carrier)
    store.dispatch(ending)
    for number in 2..<5 { await store.send(Carrier(number)) }
    await store.settled()
    try await eventually { store.activity.entries.isEmpty }
  }

  @Test("L4: the values of a sequence end another's connection as newer ones come", arguments: Queue.allCases)
  func values(queue: Queue) async throws {
    let store = Self.makeStore(on: queue)
    let received = Recorder<Int>()
    connection.value = store.connect(ClosureComponent<Carrier> { received.append($0.number) }, to: \.carrier)
    let values = store.values(of: \.carrier).makeAsyncIterator()
    _ = await values.next()
    await store.send(ending)
    await store.send(Carrier(2))
    // Values may be skipped, and come late: each is awaited.
    while let value = await values.next(), value.number != 2 {}
    await store.send(Carrier(3))
    await store.settled()
    while let value = await values.next(), value.number != 3 {}
    // The last of those who had the value may let go of it after all else has settled.
    try await eventually {
      store.activity.entries.allSatisfy { $0.connection.name != "ClosureComponent<Carrier>" }
    }
  }

  private struct Shelf: Equatable, Sendable {
    var carrier = Carrier(0)
    var step = 0
  }

  private typealias ShelfChange = @Sendable (inout Shelf) -> Void

  private struct CarrierEffect: EffectComponent {
    func requests(in carrier: Carrier) -> Set<Int> { [] }
    func run(_ number: Int, send: Send<ShelfChange>) async {}
  }

  private enum LastPlace: CaseIterable, Sendable { case taken, waiting, replaced }

  @Test("L4: props that a component alone keeps go with no lock held", arguments: LastPlace.allCases)
  private func last(place: LastPlace) async throws {
    var options = StoreOptions()
    options.seams.now = { [start = Moment.now] in start }  // nothing is overdue
    let store = Store(
      initialState: Shelf(), on: .immediate, options: options,
      reduce: { (shelf: inout Shelf, change: ShelfChange) in change(&shelf) })
    let (gate, running, areInTurn) = (Gate(), Gate(), Recorder<Bool>())
    if place == .taken { gate.open() }
    let component = ClosureComponent<Carrier> { _ in await gate.waitIgnoringCancellation() }
    connection.value = store.connect(component, to: \.carrier)
    // Keeps the slice up to date after each turn.
    store.scope(\.carrier).connect(CarrierEffect())
    // Each step withdraws a run, which ends the holding of the lock, and makes the next step, which waits then: the
    // displays are not served in between.
    for step in 1...2 {
      store.connect(
        when: { $0.step < step ? step : nil }, longRunning: true,
        run: { [connection] (_: Int, _) in
          await withTaskCancellationHandler {
            await running.waitIgnoringCancellation()
          } onCancel: {
            if step == 2, place != .replaced { connection.value?.disconnect() }
          }
        })
      let isReached: @Sendable (Shelf) -> Bool = { $0.step >= step }
      store.connect(while: isReached) { [weak store] _ in store?.dispatch { $0.step += 1 } }
    }
    try await running.waiters(atLeast: 2)
    if place != .taken { try await gate.waiters(atLeast: 1) }
    let carrier = Late<Carrier>()
    carrier.value = Carrier(1) { [weak store] in if let store { areInTurn.append(store.isInsideTurn) } }
    store.dispatch { $0.carrier = carrier.value ?? Carrier(-1) }
    carrier.value = nil
    if place == .taken { await store.settled() }
    #expect(areInTurn.count == 0)
    store.dispatch { shelf in
      shelf.carrier = Carrier(2)
      shelf.step = 1
    }
    #expect(areInTurn.values == [false])
    gate.open()
    running.open()
    await store.settled()
  }
}
