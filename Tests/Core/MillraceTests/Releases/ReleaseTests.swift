import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Whatever the store lets go of may call the store as it goes.
@Suite("Values that call the store as they are let go of", .timeLimit(.minutes(10)))
struct ReleaseTests {
  /// What each value does as it goes.
  enum LastStep: CaseIterable, Sendable {
    case dispatch, dispatchAndWait, disconnect, read, connect, wait, activity
  }

  private struct Crate: Equatable, Sendable {
    var carrier = Carrier(0)
    var count = 0
    var isCounting: Bool { count >= 0 }
  }

  private enum Load: Sendable {
    case put(Carrier)
    case carry(Carrier)
    case add
  }

  private typealias CrateStore = Store<Crate, Load>

  private let gone = Recorder<Void>()
  private let other = Late<Connection>()

  private func makeStore(_ queue: Queue) -> CrateStore {
    let store = CrateStore(
      initialState: Crate(), on: queue.queue, options: StoreOptions(diagnostics: StoreDiagnostics { _ in })
    ) { crate, load in
      switch load {
      case .put(let carrier): crate.carrier = carrier
      case .carry, .add: crate.count += 1
      }
    }
    other.value = store.connect(RecordingComponent<Int>(), to: \.count)
    return store
  }

  /// A value's last step. A `deinit` on the reducer's own stack may not read the state: `isReducers` says so.
  private func perform(_ step: LastStep, isReducers: Bool = false, on store: CrateStore?)
    -> @Sendable () -> Void
  {
    { [weak store, gone, other] in
      defer { gone.append(()) }
      guard let store else { return }
      switch step {
      case .dispatch: store.dispatch(.add)
      case .dispatchAndWait: store.dispatchAndWait(.add)
      case .disconnect: other.value?.disconnect()
      case .read: if !isReducers { _ = store.state }
      case .connect: store.connect(RecordingComponent<Int>(), to: \.count)
      case .wait: Task { await store.settled() }
      case .activity: if !isReducers { _ = store.activity }
      }
    }
  }

  private func isGone(_ store: CrateStore, _ count: Int = 1) async throws {
    try await inTime { [gone] in try await gone.values(atLeast: count) }
    await store.settled()
    // It works as before.
    let count = store.state.count
    #expect(await store.send(.add) == .reduced)
    #expect(store.state.count > count)
  }

  @Test("L4: an action", arguments: Queue.allCases, LastStep.allCases)
  func action(queue: Queue, step: LastStep) async throws {
    let store = makeStore(queue)
    for _ in 0..<5 { store.dispatch(.carry(Carrier(1, perform(step, on: store)))) }
    try await isGone(store, 5)
    #expect(gone.count == 5)
  }

  @Test(
    "L4: the props of a component and what is kept of the slice", arguments: Queue.allCases, LastStep.allCases
  )
  func props(queue: Queue, step: LastStep) async throws {
    let store = makeStore(queue)
    store.connect(ClosureComponent<Carrier> { _ in }, to: \.carrier)
    store.connect(ClosureComponent<Carrier> { _ in }, props: \.carrier)
    _ = store.values(of: \.carrier)
    // The reducer's own copy may be the last but for what the store keeps.
    for number in 1..<6 {
      await store.send(.put(Carrier(number, perform(step, isReducers: true, on: store))))
      if number % 2 == 0 { await store.settled() }
    }
    try await isGone(store)
  }

  @Test(
    "L4: a request, of a run that has ended and of one that is stopped", arguments: Queue.allCases,
    LastStep.allCases)
  func request(queue: Queue, step: LastStep) async throws {
    let store = makeStore(queue)
    let gate = Gate()
    store.connect(
      when: { $0.carrier.number > 0 ? $0.carrier : nil },
      run: { carrier, _ in if carrier.number % 2 == 0 { try? await gate.wait() } })
    for number in 1..<6 {
      await store.send(.put(Carrier(number, perform(step, isReducers: true, on: store))))
    }
    await store.send(.put(Carrier(0)))
    try await isGone(store)
  }

  @Test(
    "L4: an effect, a component and closures of connections that end", arguments: Queue.allCases,
    LastStep.allCases)
  func components(queue: Queue, step: LastStep) async throws {
    let store = makeStore(queue)
    func connections() -> [Connection] {
      let cargoes = (0..<5).map { _ in OnRelease(perform(step, on: store)) }
      return [
        store.connect(ClosureComponent<Int> { [cargo = cargoes[0]] _ in _ = cargo }, to: \.count),
        store.connect(when: { _ in Optional(1) }, run: { [cargo = cargoes[1]] (_: Int, _) in _ = cargo }),
        store.connect(
          RecordingComponent<Int>(),
          props: { [cargo = cargoes[2]] crate in
            _ = cargo
            return crate.count
          }),
        store.connect(while: \.isCounting) { [cargo = cargoes[3]] store in
          store.connect(ClosureComponent<Int> { _ in _ = cargo }, to: \.count)
        },
        store.onAction { [cargo = cargoes[4]] _, _ in _ = cargo },
      ]
    }
    for connection in connections() {
      await store.settled()
      connection.disconnect()
      try await inTime { await connection.finished() }
    }
    try await isGone(store)
    try await inTime { [gone] in try await gone.values(atLeast: 5) }
  }

  @Test(
    "L4: what the mailbox, the state and the components hold as the last handle goes",
    arguments: Queue.allCases, LastStep.allCases)
  func lastHandle(queue: Queue, step: LastStep) async throws {
    var store: CrateStore? = makeStore(queue)
    store?.connect(ClosureComponent<Carrier> { _ in }, to: \.carrier)
    for number in 1..<4 { store?.dispatch(.put(Carrier(number, perform(step, isReducers: true, on: store)))) }
    store?.dispatch(.carry(Carrier(4, perform(step, on: store))))
    await store?.settled()
    store = nil
    other.value = nil
    try await inTime { [gone] in try await gone.values(atLeast: 4) }
  }
}
