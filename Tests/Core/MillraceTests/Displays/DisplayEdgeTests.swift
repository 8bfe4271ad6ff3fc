import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("What displays are shown as others come, go and end", .timeLimit(.minutes(10)))
struct DisplayEdgeTests {
  @Test(
    "L4: the props of an update in progress live until it returns, whatever comes meanwhile",
    arguments: Queue.allCases, [false, true])
  func propsInUse(queue: Queue, isDisconnected: Bool) async throws {
    // Of a type whose values are borrowed in place: no copy keeps them.
    struct Borrowed: Equatable, Sendable {
      let number: Int
      let cargo: any Sendable
      init(_ carrier: Carrier) {
        number = carrier.number
        cargo = carrier.cargo
      }
      static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    }
    let store = Store(initialState: Borrowed(Carrier(0)), on: queue.queue) {
      (state: inout Borrowed, next: Carrier) in
      state = Borrowed(next)
    }
    let (gate, released, seen) = (Gate(), Recorder<Int>(), Recorder<[Int]>())
    final class LentComponent: Component {
      let update: @Sendable (Int) async -> [Int]
      let seen: Recorder<[Int]>
      init(_ seen: Recorder<[Int]>, _ update: @escaping @Sendable (Int) async -> [Int]) {
        (self.seen, self.update) = (seen, update)
      }
      func update(_ props: Borrowed) async { seen.append(await update(props.number)) }
    }
    let component = LentComponent(seen) { number in
      if number == 1 { await gate.waitIgnoringCancellation() }
      return released.values.filter { $0 == number }
    }
    let connection = store.connect(component, props: { $0 })
    try await store.dispatch(Carrier(1) { released.append(1) }, reaching: gate)
    for number in 2..<6 { await store.send(Carrier(number) { released.append(number) }) }
    if isDisconnected { connection.disconnect() }
    await store.settled(opening: gate)
    #expect(!seen.values.isEmpty && seen.values.allSatisfy { $0 == [] })
    try await eventually { released.values.contains(1) }  // after its turn
  }

  @Test("settled() waits for the last update of a long-running component", arguments: Queue.allCases)
  func longRunningComponent(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let gate = Gate()
    let component = RecordingComponent<Int>(holdingAt: gate)
    let connection = store.connect(component, to: \.count, longRunning: true)
    try await gate.waiters(atLeast: 1)
    await store.settled()
    connection.disconnect()
    let finished = Recorder<Int>()
    let settling = Task {
      await store.settled()
      finished.append(component.finished.count)
    }
    try await store.isAwaited(beforeAnyOf: finished, opening: gate)
    await settling.value
    #expect(finished.values == [1])
  }

  @Test("C1: connecting to a slice swallows no change for others", arguments: [0, 1, 2, 3], [false, true])
  @MainActor func connectingBehind(kind: Int, hasEffect: Bool) async throws {
    let (store, hold) = BoardStore.held()
    let (component, effect) = (RecordingComponent<Int>(), Recorder<Int>())
    let view = RecordingView()
    store.connect(component, to: \.count)
    store.connect(view, to: \.count)
    if hasEffect { store.connect(CountEffect(asked: effect), to: \.count) }
    let values = store.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    await store.settled()
    try await store.stays(at: hold)
    let others = Late<StoreValues<Int>>()
    // In one drain: the change, then somebody new at the same slice.
    store.dispatch(.add(1))
    switch kind {
    case 0: store.connect(RecordingComponent<Int>(), to: \.count)
    case 1: store.connect(CountEffect(asked: Recorder()), to: \.count)
    case 2: others.value = store.values(of: \.count)
    default: store.scope(\.count).connect(RecordingComponent<Int>(), to: \.self)
    }
    await store.settled(lettingGo: hold)
    #expect(component.received.values == [0, 1])
    #expect(view.received == [0, 1])
    #expect(effect.values == (hasEffect ? [0, 1] : []))
    await store.shutdown()
    #expect(await values.next() == 1)
  }

  private struct CountEffect: EffectComponent {
    let asked: Recorder<Int>
    func requests(in count: Int) -> Set<Int> {
      asked.append(count)
      return []
    }
    func run(_ count: Int, send: Send<Board.Action>) async {}
  }

  @Test("L1: the view of a part that has ended is not shown what was still due")
  @MainActor func endedView() async {
    let store = CornerStore(Corner(part: Piece(id: 1), rows: [Piece(id: 2)]), on: .immediate)
    let (view, rowView) = (RecordingView(), RecordingView())
    store.connectPart { part in part.connect(view, to: \.value) }
    store.connectRows { _, row in row.connect(rowView, to: \.value) }
    await store.settled()
    // The main actor is here all the while.
    store.change { corner in
      corner.part?.value = 5
      corner.rows[id: 2]?.value = 5
    }
    store.change { corner in
      corner.part = nil
      corner.rows = []
    }
    await store.settled()
    #expect(view.received == [0])
    #expect(rowView.received == [0])
  }

  @Test("C2: a component that disconnects itself in its update gets no other", arguments: Queue.allCases)
  func disconnectingItself(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (received, own, gate) = (Recorder<Int>(), Late<Connection>(), Gate())
    let component = ClosureComponent<Int> { count in
      received.append(count)
      await gate.waitIgnoringCancellation()
      own.value?.disconnect()
      own.value?.disconnect()
    }
    own.value = store.connect(component, to: \.count)
    try await gate.waiters(atLeast: 1)
    for _ in 0..<10 { await store.send(.add(1)) }
    gate.open()
    await own.value?.finished()
    for _ in 0..<10 { await store.send(.add(1)) }
    await store.settled()
    #expect(received.values == [0])
    #expect(store.activity.entries.isEmpty)
  }
}
