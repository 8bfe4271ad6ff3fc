import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What handles keep alive, and what ends with the last one.
@Suite("Handles", .timeLimit(.minutes(10)))
struct HandleTests {
  private let gate = Gate()

  private final class Token: Equatable, Sendable {
    static func == (left: Token, right: Token) -> Bool { left === right }
  }

  private struct Holder: Equatable, Sendable {
    let token: Token
    var count = 0
  }

  private func holder(_ token: Token, _ queue: Queue) -> Store<Holder, Int> {
    Store(initialState: Holder(token: token), on: queue.queue) { $0.count += $1 }
  }

  /// An effect whose bodies ignore that they are stopped, and whose identities carry an object.
  private struct LabelledEffect: EffectComponent {
    let gate: Gate
    let cargo: OnRelease
    func requests(in board: Board) -> Set<Job> { board.jobs }
    func id(of job: Job) -> Label { Label(name: job.name, cargo: cargo) }
    func run(_ job: Job, send: Send<Board.Action>) async { await gate.waitIgnoringCancellation() }

    struct Label: Hashable, Sendable {
      let name: String
      let cargo: OnRelease
      static func == (left: Self, right: Self) -> Bool { left.name == right.name }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
  }

  @Test(
    "a store with nothing to do needs no turn to end, unless something was connected",
    arguments: [false, true])
  func nothingToDo(connects: Bool) async throws {
    var store: Store<Holder, Int>? = holder(Token(), .serial)
    if connects { store?.onAction { _, _ in }.disconnect() }
    store?.dispatch(1)
    await store?.settled()
    // On a busy machine a drain may have been rescued, and then comes late.
    try await eventually { store?.drainsOnTheirWay == 0 }
    let mailCount = store?.mailCount
    let before = mailCount?()
    store = nil
    #expect(mailCount?() == before.map { $0 + (connects ? 1 : 0) })
  }

  @Test("E7: a connection keeps no identity after a shutdown with a waiting run", arguments: Queue.allCases)
  func waitedAtTheEnd(queue: Queue) async throws {
    let (store, clock, gone) = (BoardStore(on: queue), TestClock(), Recorder<Void>())
    let connection = store.connect(LabelledEffect(gate: gate, cargo: OnRelease { gone.append(()) }))
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    store.dispatchAndWait(.askOnly([Job("a", 2)]))
    let down = Task { await store.shutdown(graceful: .seconds(10), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    gate.open()
    #expect(await down.value.isClean)
    try await inTime { try await gone.values(atLeast: 1) }
    await connection.finished()
  }

  @Test("connections, sequences, sends and updates keep no store alive", arguments: Queue.allCases)
  func lastHandle(queue: Queue) async throws {
    var token: Token? = Token()
    weak let state = token
    var store = token.map { holder($0, queue) }
    token = nil
    let sends = Recorder<Send<Int>>()
    let (slow, quick) = (RecordingComponent<Int>(holdingAt: gate), RecordingComponent<Int>())
    let connections = [
      store?.connect(slow, to: \.count), store?.connect(quick, to: \.count),
      store?.connect(
        when: { Optional($0.count) },
        run: { [gate] _, send in
          sends.append(send)
          await gate.waitIgnoringCancellation()
        }),
    ]
    let values = store?.values(of: \.count)
    let actions = store?.actions()
    try await gate.waiters(atLeast: 2)
    store?.dispatch(1)
    await store?.send(1)
    // What has got the last value has it from the turn in which the sequence recorded it.
    try await eventually { quick.finished.values.last == 2 }
    store = nil
    #expect(await sends.values[0](1) == .refused)
    for connection in connections { connection?.disconnect() }
    // What was recorded is still given, and kept no longer.
    var counts: [Int] = []
    if let actions { for await (_, state) in actions { counts.append(state.count) } }
    #expect(counts == [1, 2])
    if let values { for await count in values { #expect(count == 2) } }
    try await eventually { state == nil }  // until its last turns are made
    gate.open()
    try await slow.finished.values(atLeast: 1)
  }

  @Test("the handle of an ended recording of actions keeps nothing of the scope's", arguments: Queue.allCases)
  func endedTap(queue: Queue) async throws {
    var token: Token? = Token()
    weak let captured = token
    let store = Store(initialState: 0, on: queue.queue) { (count: inout Int, step: Int) in count += step }
    let handle: Connection
    do {
      let scope = store.scope(\.self, action: { [token] (step: Int) in token == nil ? 0 : step })
      handle = scope.onAction { _, _ in }
    }
    token = nil
    store.dispatch(1)
    handle.disconnect()
    try await inTime { await handle.finished() }
    try await eventually { captured == nil }
    withExtendedLifetime(handle) {}
  }

  @Test("a store of a predicate's lifetime that is kept shows the last state once all has ended")
  func keptPartStore() async throws {
    var token: Token? = Token()
    weak let state = token
    var store = token.map { holder($0, .immediate) }
    token = nil
    let kept = Lock<Store<Holder, Int>?>(nil)
    let isSmall = { @Sendable (holder: Holder) in holder.count < 10 }
    store?.connect(while: isSmall) { part in kept.withLock { $0 = part } }
    var part = kept.withLock { $0.take() }
    store?.dispatch(2)
    store = nil
    #expect(part?.state.count == 2)
    #expect(part?.scope(\.count).state == 2)
    #expect(part?.dispatch(1) == false)
    part = nil
    #expect(state == nil)
  }

  @Test("when the last handle goes, accepted actions are still reduced and suspended senders return")
  func acceptedIsReduced() async throws {
    let hold = Hold()
    let reduced = Recorder<Int>()
    let isHeld = 1
    var store: Store<Int, Int>? = Store(initialState: 0, on: Hold.queue) { count, step in
      if step == isHeld { hold.stay() }
      count += step
      reduced.append(step)
    }
    store?.dispatch(isHeld)
    try await hold.isHeld()
    let scope = store?.scope(\.self, action: { (step: Int) in step })
    let sender = Task { [weak scope] in await scope?.send(2) }
    try await store?.mailboxHolds(1)
    store?.dispatch(3)
    store = nil
    hold.letGo()
    #expect(await sender.value == .reduced)
    try await reduced.values(atLeast: 3)
    withExtendedLifetime(scope) {}
    #expect(reduced.values == [1, 2, 3])
  }

  @Test("the store keeps components and effects until disconnected, no longer", arguments: Queue.allCases)
  func components(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    weak var component: RecordingComponent<Int>?
    let connection: Connection
    do {
      let strong = RecordingComponent<Int>()
      component = strong
      connection = store.connect(strong, to: \.count)
    }
    await store.settled()
    #expect(component != nil)
    connection.disconnect()
    await connection.finished()
    await store.settled()
    try await eventually { component == nil }
    #expect(store.activity.entries.isEmpty)
  }

  @Test("views are held weakly and disconnected when they are gone") @MainActor
  func views() async {
    let store = BoardStore(on: .immediate)
    weak var weakView: RecordingView?
    do {
      let view = RecordingView()
      weakView = view
      store.connect(view, to: \.count)
      await store.settled()
    }
    #expect(weakView == nil)
    await store.settled(after: .add(1))
    #expect(store.activity.entries.isEmpty)
    #expect(store.sliceCount == 0)
  }

  @Test("a bag ends its connections when nobody holds it any more")
  func bag() async throws {
    let store = BoardStore(on: .immediate)
    do {
      let bag = ConnectionBag()
      bag.insert(store.connect(RecordingComponent<Int>(), to: \.count))
      #expect(store.activity.entries.count == 1)
    }
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }

  private final class Ends: StoreObserver {
    let runs = Recorder<Void>()
    func observe(_ event: StoreEvent) { if case .runEnded = event.kind { runs.append(()) } }
  }

  @Test("R4: an observer is told of every run of parts that are not torn down as the last handle goes")
  func endsOfParts() async throws {
    let (ends, isReleased) = (Ends(), Signal())
    var store: CornerStore? = CornerStore(Corner(rows: Corner.rows(0..<1_100)), on: .serial)
    store?.observe(ends)
    store?.connectRows { [gate] _, row in
      row.connect(PieceEffect { _, _ in await gate.waitIgnoringCancellation() })
    }
    try await gate.waiters(atLeast: 1_100)
    store?.change {
      $0.rows = []
      isReleased.wait()
    }
    store = nil
    isReleased.give()
    #expect(try await ends.runs.values(atLeast: 1_100).count == 1_100)
    gate.open()
  }
}
