import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Whatever the user's code does outside of reducers and selectors, actions are reduced and the state is read.
///
/// One after the other, since each holds up threads. What waits does so on threads of its own.
@Suite("The reducer queue goes on", .blocksThreads, .timeLimit(.minutes(30)))
struct QueueGoesOnTests {
  private let reduced = Signal()
  private let release = Signal(patience: .seconds(600))

  /// A store that gives `reduced` when it reduces "next".
  private func makeStore(options: StoreOptions = StoreOptions()) -> BoardStore {
    BoardStore(initialState: Board(), options: options) { [reduced] board, action in
      Board.reduce(&board, action)
      if action == .report("next") { reduced.give() }
    }
  }

  /// Dispatches, waits for the reduction and reads the state, on a thread of its own; then lets go what is held up.
  private func actsMeanwhile(
    _ act: @escaping @Sendable () -> Void, _ isRight: @escaping @Sendable () -> Bool
  ) async -> Bool {
    await onThread { [reduced, release] in
      defer { release.give() }
      act()
      return reduced.wait() && isRight()
    }
  }

  private func actsMeanwhile(_ store: BoardStore) async -> Bool {
    await actsMeanwhile({ store.dispatch(.report("next")) }, { store.state.log.last == "next" })
  }

  @Test("L5: a cancellation handler that blocks holds up neither reductions nor readers")
  func cancellationHandler() async throws {
    let store = makeStore()
    let (entered, gate) = (Recorder<Void>(), Gate())
    store.connect(
      JobEffect { [release] _, _ in
        await withTaskCancellationHandler {
          await gate.waitIgnoringCancellation()
        } onCancel: {
          entered.append(())
          release.wait()
        }
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    store.dispatch(.drop("job"))
    try await inTime { try await entered.values(atLeast: 1) }
    #expect(await actsMeanwhile(store))
    await store.settled(opening: gate)
  }

  @Test("L5: a diagnostics hook takes a lock that a reader of the state holds")
  func lockOrder() async throws {
    let (entered, lock, wasLocked) = (Signal(), NSLock(), Recorder<Bool>())
    let store = makeStore(
      options: StoreOptions(
        diagnostics: .mistakes { _ in
          entered.give()
          wasLocked.append(lock.lock(before: Date(timeIntervalSinceNow: 500)))
          lock.unlock()
        }))
    store.connect(NamedJobEffect { _, _ in })
    await store.settled()
    let isReduced = await onThread { [reduced] in
      lock.lock()
      store.dispatch(.askOnly([Job("same", 1), Job("same", 2)]))
      // Reads once the hook wants the lock: waits for the hook if that holds up the turn.
      entered.wait()
      _ = store.state
      store.dispatch(.report("next"))
      defer { lock.unlock() }
      return reduced.wait()
    }
    #expect(isReduced)
    #expect(try await wasLocked.values(atLeast: 1) == [true])
    await store.settled()
  }

  @Test("L5: the deinit of what an ended part held holds up neither turns nor readers", arguments: [0, 1, 2])
  func deinits(kind: Int) async throws {
    let entered = Recorder<Void>()
    let store = CornerStore(Corner(part: Piece(id: 1)), on: .serial)
    store.connectPart { [release] part in
      let cargo = OnRelease {
        entered.append(())
        release.wait()
      }
      switch kind {
      case 0: part.connect(PieceEffect { _, _ in _ = cargo })
      case 1: part.connect(ClosureComponent<Int> { _ in _ = cargo }, to: \.value)
      default: part.connect(when: { _ in Optional(Carrier(1) { _ = cargo }) }, run: { _, _ in })
      }
    }
    await store.settled()
    store.change { $0.part = nil }
    try await inTime { try await entered.values(atLeast: 1) }
    #expect(await actsMeanwhile({ store.change { _ in reduced.give() } }, { store.state.part == nil }))
    await store.settled()
  }

  @Test("L5: the deinit of an action holds up neither reductions nor readers")
  func deinitOfAnAction() async throws {
    enum Action: Sendable {
      case carries(OnRelease)
      case hold(Hold)
      case next
    }
    let (entered, first, second) = (Recorder<Void>(), Hold(), Hold())
    let store = Store<Int, Action>(initialState: 0, on: Hold.queue) { [reduced] count, action in
      switch action {
      case .carries: break
      case .hold(let hold): hold.stay()
      case .next:
        count += 1
        if count == 200 { reduced.give() }
      }
    }
    store.dispatch(.hold(first))
    try await first.isHeld()
    // Held by the store alone when it is reduced, and released before what arrives while the reducer is held again.
    store.dispatch(
      .carries(
        OnRelease { [release] in
          entered.append(())
          release.wait()
        }))
    store.dispatch(.hold(second))
    first.letGo()
    try await second.isHeld()
    for _ in 0..<200 { store.dispatch(.next) }
    second.letGo()
    try await inTime { try await entered.values(atLeast: 1) }
    #expect(await actsMeanwhile({}, { store.state == 200 }))
    await store.settled()
  }

  /// What keeps a value of the state.
  enum Keeper: CaseIterable, Sendable {
    case slice, part, partWhileShuttingDown
    /// Requests that were served: one that another of its identity replaces, one that is not asked for any more.
    case replacedRequest, forgottenRequest
  }

  /// Equal carriers with other cargo take the place of those before, which the keeper may keep.
  @Test(
    "L5: the deinit of a replaced kept value holds up neither turns nor readers",
    arguments: Keeper.allCases)
  func deinitOfAKeptValue(keeper: Keeper) async throws {
    struct CarrierEffect: EffectComponent {
      let identify: @Sendable (Int) -> Int
      func requests(in carriers: [Carrier]) -> Set<Carrier> { Set(carriers) }
      func id(of carrier: Carrier) -> Int { identify(carrier.number) }
      func run(_ carrier: Carrier, send: Send<[Carrier]>) async {}
    }
    let (entered, gate) = (Recorder<Void>(), Gate())
    let store = Store<[Carrier], [Carrier]>(initialState: []) { [reduced] carriers, action in
      carriers = action
      if action.first?.number == 1_000 { reduced.give() }
    }
    let scope = store.scope(\.self, action: \.self)
    switch keeper {
    case .slice: scope.connect(when: { $0.count < 0 ? 0 : nil }, run: { _, _ in })
    case .part, .partWhileShuttingDown:
      let present: @Sendable (Carrier) -> [Carrier] = { [$0] }
      scope.connectIfPresent(\.first, action: present) { part in
        part.connect(when: { $0.number < 0 ? $0 : nil }, run: { _, _ in })
      }
    case .replacedRequest: scope.connect(CarrierEffect { $0 == 20 ? 1 : 0 }, to: \.self)
    case .forgottenRequest: scope.connect(CarrierEffect { $0 }, to: \.self)
    }
    if keeper == .partWhileShuttingDown {
      scope.connect(when: { _ in Optional(0) }, run: { _, _ in await gate.waitIgnoringCancellation() })
      try await gate.waiters(atLeast: 1)
      Task { await scope.shutdown(graceful: .seconds(1), clock: TestClock()) }
      try await eventually { !scope.dispatch([]) }
    }
    await store.send([
      Carrier(10) { [release] in
        entered.append(())
        release.wait()
      }
    ])
    if keeper == .replacedRequest || keeper == .forgottenRequest { await store.settled() }
    await store.send([Carrier(10), Carrier(20)])
    for number in 30..<200 { store.dispatch([Carrier(number)]) }
    try await inTime { try await entered.values(atLeast: 1) }
    #expect(await actsMeanwhile({ store.dispatch([Carrier(1_000)]) }, { store.state.first?.number == 1_000 }))
    await store.settled(opening: gate)
  }

  @Test("L5: the description of a request that blocks holds up neither reductions nor readers")
  func description() async throws {
    struct Slow: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
      let number: Int
      let describing: @Sendable () -> Void
      static func == (left: Self, right: Self) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
      var description: String {
        describing()
        return "slow"
      }
      var debugDescription: String { description }
    }
    let (store, entered, gate) = (makeStore(), Recorder<Void>(), Gate())
    let describing: @Sendable () -> Void = { [release] in
      entered.append(())
      release.wait()
    }
    store.connect(
      when: { $0.count == 1 ? Slow(number: 1, describing: describing) : nil },
      run: { _, _ in await gate.waitIgnoringCancellation() })
    try await store.dispatch(.add(1), reaching: gate)
    async let activity = onThread { store.activity }
    try await inTime { try await entered.values(atLeast: 1) }
    #expect(await actsMeanwhile(store))
    for _ in 0..<8 { release.give() }
    _ = await activity
    await store.settled(opening: gate)
  }
}
