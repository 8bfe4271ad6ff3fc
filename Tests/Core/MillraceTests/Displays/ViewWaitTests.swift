import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What waits for views, while the main actor is held up.
@Suite("Views that wait for the main actor", .blocksThreads, .timeLimit(.minutes(10)))
struct ViewWaitTests {
  /// No wait is long, since a report of one would look at the waits, and no turn takes time, since displays are served
  /// in the midst of long ones.
  private let options: StoreOptions
  private let store: BoardStore

  init() {
    var options = StoreOptions()
    options.seams.clock = TestClock()
    options.seams.now = { [start = Moment.now] in start }
    self.options = options
    store = BoardStore(on: .serial, options: options)
  }

  /// Can be held up as it is shown a value.
  @MainActor private final class HeldView: ViewComponent {
    nonisolated let received = Recorder<Int>()
    private let hold: Hold
    private let number: Int?
    var props = -1 {
      didSet {
        received.append(props)
        if props == number { hold.stay() }
      }
    }

    init(_ hold: Hold = Hold(), at number: Int? = nil) {
      self.hold = hold
      self.number = number
    }
  }

  /// Holds up the main actor until the test lets go.
  private static func holdMain() async throws -> Hold {
    let hold = Hold()
    Task { @MainActor in hold.stay() }
    try await hold.isHeld()
    return hold
  }

  /// Begins a wait. Returns when it waits, or has ended.
  private static func begin<State, Action>(
    in store: Store<State, Action>, _ wait: @escaping @Sendable () async -> Void
  ) async -> (task: Task<Void, Never>, hasEnded: Recorder<Void>) {
    let hasEnded = Recorder<Void>()
    let count = store.waiterCount
    let task = Task.detached {
      await wait()
      hasEnded.append(())
    }
    while hasEnded.count == 0, store.waiterCount <= count {
      await Task.yield()
    }
    return (task, hasEnded)
  }

  @Test("settled() waits for views that wait, and for the one that is being shown its props")
  func settled() async throws {
    let hold = Hold()
    let shown = await HeldView(hold, at: 1)
    let other = await HeldView()
    store.connect(shown, to: \.count)
    store.connect(other, props: { $0.log.count })
    await store.settled()

    let main = try await Self.holdMain()
    store.dispatchAndWait(.add(1))
    let first = await Self.begin(in: store, store.settled)
    #expect(first.hasEnded.count == 0)
    main.letGo()
    try await hold.isHeld()
    #expect(first.hasEnded.count == 0)
    store.dispatchAndWait(.report("a line"))
    hold.letGo()
    try await inTime { await first.task.value }
    #expect(shown.received.values == [0, 1])
    #expect(other.received.values == [0, 1])
  }

  @Test("settled() waits for the view that is being shown its props, though nothing else waits")
  func shown() async throws {
    let hold = Hold()
    let view = await HeldView(hold, at: 1)
    store.connect(view, to: \.count)
    await store.settled()
    store.dispatch(.add(1))
    try await hold.isHeld()
    let wait = await Self.begin(in: store, store.settled)
    #expect(wait.hasEnded.count == 0)
    hold.letGo()
    await wait.task.value
  }

  @Test("nothing waits for a view that ends before it is shown its props") func ended() async throws {
    let views = [await HeldView(), await HeldView()]
    let connections = views.map { store.connect($0, to: \.count) }
    await store.settled()
    #expect(store.activity.entries.allSatisfy { $0.work.isEmpty })

    let main = try await Self.holdMain()
    store.dispatchAndWait(.add(1))
    #expect(store.activity.entries.map { $0.work.map(\.request) } == [["props"], ["props"]])
    for connection in connections { connection.disconnect() }
    let wait = await Self.begin(in: store) {
      for connection in connections { await connection.finished() }
      await store.settled()
    }
    #expect(wait.hasEnded.count == 1)
    main.letGo()
    await wait.task.value
    #expect(views.map(\.received.values) == [[0], [0]])
  }

  @Test("E7: a view that comes and goes before it is shown its props leaves the others to be waited for")
  func comesAndGoes() async throws {
    let (view, passing) = (await HeldView(), await HeldView())
    store.connect(view, to: \.count)
    await store.settled()
    let main = try await Self.holdMain()
    store.connect(passing, to: \.count).disconnect()
    store.dispatchAndWait(.add(1))
    let wait = await Self.begin(in: store, store.settled)
    #expect(wait.hasEnded.count == 0)
    main.letGo()
    await wait.task.value
    #expect(view.received.values == [0, 1])
    #expect(passing.received.count == 0)
  }

  @Test("C2: finished() of a view that ends as it is shown its props waits for that") func finished()
    async throws
  {
    let hold = Hold()
    let view = await HeldView(hold, at: 1)
    let last = await HeldView()
    let connection = store.connect(view, to: \.count)
    store.connect(last, to: \.count)
    await store.settled()
    store.dispatch(.add(1))
    try await hold.isHeld()
    connection.disconnect()
    let wait = await Self.begin(in: store, connection.finished)
    let settling = await Self.begin(in: store, store.settled)
    #expect(wait.hasEnded.count == 0)
    #expect(settling.hasEnded.count == 0)
    #expect(store.activity.entries.contains { !$0.isConnected && !$0.work.isEmpty })
    hold.letGo()
    await wait.task.value
    await settling.task.value
    #expect(last.received.values == [0, 1])
    #expect(store.activity.entries.count == 1)
  }

  @Test("C1: a view that came later than another gets the value that is none for the other") func later()
    async throws
  {
    let (store, hold) = BoardStore.held(options: options)
    let (first, second) = (await HeldView(), await HeldView())
    store.connect(first, to: \.count)
    await store.settled()
    try await store.stays(at: hold)
    store.dispatch(.add(1))
    store.connect(second, to: \.count)
    store.dispatch(.report("hold"))
    hold.letGo()
    try await hold.isHeld(2)
    // Shown before the store gives the first one the value that it was connected with.
    try await second.received.values(atLeast: 1)
    store.dispatch(.add(-1))
    await store.settled(lettingGo: hold)
    #expect(first.received.values == [0])
    #expect(second.received.values == [1, 0])
  }

  @Test("C1: a view that came before the others were served gets a value that is not even itself once")
  func unequal() async throws {
    @MainActor final class NumberView: ViewComponent {
      nonisolated let received = Recorder<Double>()
      var props = 0.0 { didSet { received.append(props) } }
    }
    let hold = Hold()
    let store = Store<Double, Double?>(initialState: 0, on: Hold.queue, options: options) { number, next in
      if let next { number = next } else { hold.stay() }
    }
    let (first, second) = (NumberView(), NumberView())
    store.scope(\.self).connect(first, to: \.self)
    await store.settled()
    store.dispatch(nil)
    try await hold.isHeld()
    store.dispatch(.nan)
    store.scope(\.self).connect(second, to: \.self)
    store.dispatch(nil)
    hold.letGo()
    try await hold.isHeld(2)
    try await second.received.values(atLeast: 1)
    await store.settled(lettingGo: hold)
    #expect(first.received.count == 2)
    #expect(second.received.count == 1)
  }

  @Test("views of one slice come and go through two stores") func stores() async {
    let scopes = (0..<2).map { _ in store.scope(\.count) { Board.Action.add($0) } }
    scopes[0].connect(ClosureComponent<Int> { _ in }, to: \.self)  // the slice stays
    for order in [[1, 0], [0, 1]] {
      let views = [await HeldView(), await HeldView()]
      let connections = zip(scopes, views).map { $0.connect($1, to: \.self) }
      await store.settled()
      for index in order { connections[index].disconnect() }
      let next = [await HeldView(), await HeldView()]
      for index in order { scopes[index].connect(next[index], to: \.self) }
      await store.settled()
      store.dispatchAndWait(.add(1))
      await store.settled()
      let count = store.state.count
      #expect(views.map(\.received.values) == [[count - 1], [count - 1]])
      #expect(next.map(\.received.values) == [[count - 1, count], [count - 1, count]])
    }
  }

  @Test("L4: the props that a view was shown go with no lock held as it ends") func released() async throws {
    struct Holder: Equatable, Sendable { var carrier: Carrier }
    @MainActor final class CarrierView: ViewComponent {
      var props = Carrier(-1)
    }
    let other = Late<Connection>()
    let gone = Recorder<Void>()
    let store = Store(
      initialState: Holder(
        carrier: Carrier(0) {
          other.value?.disconnect()
          gone.append(())
        }), on: .serial()
    ) { (state: inout Holder, carrier: Carrier) in state.carrier = carrier }
    let (view, second) = (CarrierView(), await HeldView())
    let connection = store.connect(view, to: \.carrier)
    await store.settled()
    await MainActor.run { view.props = Carrier(-1) }
    other.value = store.connect(second, props: { $0.carrier.number })
    let main = try await Self.holdMain()
    // Now the store keeps what the view was shown for the view alone.
    store.dispatchAndWait(Carrier(1))
    connection.disconnect()
    try await inTime { try await gone.values(atLeast: 1) }
    main.letGo()
    await store.settled()
  }

  @Test("L4: an element goes with no lock held, though a view of it was waiting") func element() async throws
  {
    struct Row: Identifiable, Equatable, Sendable {
      let id = 0
      var carrier = Carrier(0)
    }
    enum Action: Sendable {
      case changed(Carrier)
      case removed
      case hold
    }
    @MainActor final class CarrierView: ViewComponent {
      var props = Carrier(-1)
    }
    let (other, gone, hold) = (Late<Connection>(), Recorder<Void>(), Hold())
    let rows = Store(
      initialState: KeyedArray(uniqueElements: [Row()]), on: Hold.queue, options: options,
      reduce: { (rows: inout KeyedArray<Row>, action: Action) in
        switch action {
        case .changed(let carrier): rows[id: 0]?.carrier = carrier
        case .removed: rows = []
        case .hold: hold.stay()
        }
      })
    let view = CarrierView()
    let itself: @Sendable (Int, Action) -> Action = { $1 }
    rows.connectEach(\.self, action: itself) { _, row in
      row.connect(view, to: \.carrier)
    }
    other.value = rows.connect(RecordingComponent<Int>(), props: { $0.count })
    await rows.settled()
    let main = try await Self.holdMain()
    rows.dispatchAndWait(.changed(Carrier(1)))
    rows.dispatch(.hold)
    try await hold.isHeld()
    // The element's node gets this value, and is gone before its view is to be shown it.
    rows.dispatch(
      .changed(
        Carrier(2) {
          other.value?.disconnect()
          gone.append(())
        }))
    rows.dispatch(.removed)
    hold.letGo()
    await rows.send(.removed)
    main.letGo()
    try await inTime { try await gone.values(atLeast: 1) }
    await rows.settled()
    #expect(rows.activity.entries.count == 1)
  }
}
