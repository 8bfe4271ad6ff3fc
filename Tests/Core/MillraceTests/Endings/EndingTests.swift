import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What ends when, of which kind, in which order: each kind of connection in each way of ending.
@Suite("Endings", .timeLimit(.minutes(10)))
struct EndingTests {
  enum Way: CaseIterable, Sendable {
    /// By its own connection, by its part of the state, or by the connection that keeps the part.
    case disconnect, part, element, partKeeper, elementKeeper
    case lastHandle
    /// The store: with nothing given, while the graceful time lasts, and beyond the hard deadline.
    case shutdown, graceful, hard
    /// What the handle of a part of the state was asked for.
    case scopeShutdown, partShutdown, elementShutdown

    var isShutdown: Bool {
      switch self {
      case .shutdown, .graceful, .hard, .scopeShutdown, .partShutdown, .elementShutdown: true
      case .disconnect, .part, .element, .partKeeper, .elementKeeper, .lastHandle: false
      }
    }
  }

  /// What one of a kind gets in all. It has got 1 when 2 is shown, and is busy until it has ended.
  static func expected(_ kind: Resident, _ way: Way) -> [String] {
    switch kind {
    case .effect:
      switch way {
      case .graceful: ["reduced"]
      case .shutdown, .hard, .scopeShutdown, .partShutdown, .elementShutdown, .lastHandle: ["refused"]
      case .disconnect, .part, .element, .partKeeper, .elementKeeper: ["fenced"]
      }
    case .component, .ifPresent, .each: way.isShutdown && way != .hard ? ["1", "2"] : ["1"]
    case .view: way.isShutdown ? ["1", "2"] : ["1"]
    case .values: ["2", "end"]
    case .actions: ["1", "2", "end"]
    case .first: ["0"]
    case .onAction, .observe: way == .disconnect ? ["1"] : ["1", "2"]
    }
  }

  /// A sequence is disconnected by releasing it, and a task that waits for a state holds the handle.
  static let all = Resident.allCases.flatMap { kind in
    Way.allCases.compactMap { way in
      let isSequence = [Resident.values, .actions, .first].contains(kind)
      let isImpossible = isSequence && way == .disconnect || kind == .first && way == .lastHandle
      return isImpossible ? nil : (kind, way)
    }
  }

  @MainActor
  @Test("each kind gets what the way of its ending leaves it", .blocksThreads, arguments: all, Queue.allCases)
  func got(_ ending: (kind: Resident, way: Way), queue: Queue) async throws {
    let (kind, way) = ending
    let (hold, views, late) = (Resident.Hold(), Recorder<Resident.View>(), Late<RoomStore>())
    defer { hold.end() }
    let ended = Signal()
    var options = StoreOptions()
    options.seams.witness = { if case .disconnected = $0 { ended.give() } }
    var store: HouseStore? = HouseStore(
      initialState: House(), on: queue.queue, options: options, reduce: House.reduce)
    var keeper: Connection?
    switch way {
    case .part, .partKeeper, .partShutdown:
      keeper = store?.connectIfPresent(\.part, action: House.unchanged) {
        late.value = $0
      }
    case .element, .elementKeeper, .elementShutdown:
      keeper = store?.connectEach(\.rooms, action: unchanged) { id, room in if id == 0 { late.value = room } }
    default: late.value = store?.scope(\.room)
    }
    await store?.settled()
    let stay = try await begin(kind, late, hold, views)
    // The main actor is not left between this and the end, so that the view does not show 2 before.
    late.value?.dispatchAndWait(.show(2))

    let clock = TestClock()
    var down: Task<ShutdownReport?, Never>?
    switch way {
    case .disconnect: stay.connection?.disconnect()
    case .part: store?.dispatchAndWait(.endPart)
    case .element: store?.dispatchAndWait(.endElement)
    case .partKeeper, .elementKeeper: keeper?.disconnect()
    case .lastHandle:
      (store, late.value) = (nil, nil)
      ended.wait()  // on the reducer queue
    case .shutdown: down = Task { [store] in await store?.shutdown() }
    case .graceful:
      down = Task { [store] in await store?.shutdown(graceful: .seconds(1), clock: clock) }
    case .hard: down = Task { [store] in await store?.shutdown(hard: .seconds(1), clock: clock) }
    case .scopeShutdown, .partShutdown, .elementShutdown:
      down = Task { await late.value?.shutdown() }
    }
    try await isEnding(kind, way, stay, down, clock, store)
    hold.end()
    if let down {
      let report = await down.value
      #expect(way == .hard || report?.isClean == true)
    }
    await stay.connection?.finished()
    await stay.rest?.value
    if kind == .onAction || kind == .observe {
      try await stay.got.values(atLeast: Self.expected(kind, way).count)
    }
    #expect(stay.got.values == Self.expected(kind, way))
    withExtendedLifetime((store, keeper)) {}
  }

  /// Returns once the resident has got 1, and waits for the hold or for more.
  @MainActor
  private func begin(
    _ kind: Resident, _ late: Late<RoomStore>, _ hold: Resident.Hold, _ views: Recorder<Resident.View>
  ) async throws -> Resident.Stay {
    let room = try #require(late.value)
    let stay = kind.connect(to: room, hold, keeping: views)
    await room.send(.show(1))
    switch kind {
    case .effect, .values, .actions: try await hold.gate.waiters(atLeast: 1)
    case .first: try await eventually { "\(room.activity)".contains("first(where:)") }
    case .component, .view, .ifPresent, .each, .onAction, .observe: try await stay.got.values(atLeast: 1)
    }
    return stay
  }

  /// Returns once a shutdown waits for the hold, or has met its deadline.
  @MainActor
  private func isEnding(
    _ kind: Resident, _ way: Way, _ stay: Resident.Stay, _ down: Task<ShutdownReport?, Never>?,
    _ clock: TestClock, _ store: HouseStore?
  ) async throws {
    let isBusy = ![Resident.view, .values, .actions, .first].contains(kind)
    guard let down, isBusy else { return }
    if way == .hard {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
      #expect(await down.value?.unfinished.count == 1)
      // The rest ends beyond the deadline, too, before the hold does.
      try await eventually { store?.activity.entries.allSatisfy { !$0.isConnected } ?? true }
    } else {
      try await store?.isAwaited()
      // The run is told; without a graceful time it has been stopped before it goes on.
      if kind == .effect, way != .graceful {
        try await eventually { "\(store?.activity.description ?? "")".contains("stopping") }
      }
    }
  }
}
