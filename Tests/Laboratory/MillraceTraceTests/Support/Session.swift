import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport

/// A random session of a feature that has effects of every replacement, parts, failures, and connections that end.
enum Session {
  struct Row: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    var wanted: Int?
  }

  struct State: Codable, Hashable, Sendable {
    var wanted: Set<Int> = []
    var isOpen = false
    var rows = KeyedArray<Row>()
    var pokes = 0
  }

  enum Action: Codable, Hashable, Sendable {
    case wanted(Set<Int>)
    case opened(Bool)
    case rows([Row])
    case poked
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .wanted(let numbers): state.wanted = numbers
    case .opened(let isOpen): state.isOpen = isOpen
    case .rows(let rows): state.rows = KeyedArray(uniqueElements: rows)
    case .poked: state.pokes += 1
    }
  }

  struct LookEffect: EffectComponent {
    struct Failed: Error {}

    let gate: Gate
    let replacement: RequestReplacement

    /// No two requests of one identity are asked for at once: it is not promised which of them is served.
    func id(of number: Int) -> Int { number % 2 }
    func requests(in state: State) -> Set<Int> {
      Set(Dictionary(grouping: state.wanted) { $0 % 2 }.compactMap { $1.max() })
    }
    func action(for failure: Failed, of number: Int) -> Action { .poked }

    func run(_ number: Int, send: Send<Action>) async throws(Failed) {
      if number == 1 { try? await gate.wait() } else { await gate.waitIgnoringCancellation() }
      if number == 3 { throw Failed() }
      await send(.poked)
    }
  }

  /// What the program connects, in whatever store.
  static func connect(_ store: Store<State, Action>, gate: Gate = Gate()) -> [Connection] {
    let always: @Sendable (State) -> Int? = { _ in 15 }
    let ofRow: @Sendable (Int, Action) -> Action = { $1 }
    let work: @Sendable (Int, Send<Action>) async -> Void = { _, _ in await gate.waitIgnoringCancellation() }
    return [
      store.connect(LookEffect(gate: gate, replacement: .restart), named: "restarted"),
      store.connect(LookEffect(gate: gate, replacement: .handOver), named: "handed over"),
      store.connect(LookEffect(gate: gate, replacement: .ignore), named: "ignored"),
      store.connect(when: always, named: "always", run: work),
      store.connect(while: \.isOpen, named: "open") { store in
        store.connect(LookEffect(gate: gate, replacement: .restart), named: "look within")
        store.connect(while: { $0.wanted.contains(2) }, named: "inner") { store in
          store.connect(when: always, named: "always within", run: work)
        }
      },
      store.connectEach(\.rows, action: ofRow, named: "rows") { _, row in
        row.connect(when: \.wanted, named: "look of a row", run: work)
      },
    ]
  }

  /// How a session ends.
  enum Ending: CaseIterable { case stopped, finished, shutDown }

  /// Records a session.
  static func record(
    to destination: TraceDestination, every: Int, _ ending: Ending, using random: inout SeededGenerator
  ) async throws {
    let gate = Gate()
    let store = Store(initialState: State(), reduce: reduce)
    let recording = try store.record(to: destination, snapshotEvery: every)
    let connections = connect(store, gate: gate)
    for _ in 0..<Int.random(in: 4..<30, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: connections.randomElement(using: &random)?.disconnect()
      case 1, 2: gate.pass()
      case 3, 4:
        for _ in 0..<Int.random(in: 2...4, using: &random) { store.dispatch(action(using: &random)) }
      case 5: try await recording.flush()
      default: store.dispatchAndWait(action(using: &random))
      }
      // The bodies that have just begun wait at the gate, or did not begin.
      await Task.yield()
    }
    try await recording.flush()
    if ending == .stopped { recording.connection.disconnect() }
    gate.open()
    switch ending {
    case .stopped: try await recording.flush()
    case .finished:
      store.dispatchAndWait(.poked)
      try await recording.finish()
    case .shutDown: await store.shutdown()
    }
    await store.shutdown()
  }

  private static func action(using random: inout SeededGenerator) -> Action {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: .opened(Bool.random(using: &random))
    case 2, 3:
      .rows(
        (0..<4).filter { _ in Bool.random(using: &random) }
          .map { Row(id: $0, wanted: Bool.random(using: &random) ? $0 : nil) })
    case 4: .poked
    default: .wanted(Set((1...4).filter { _ in Bool.random(using: &random) }))
    }
  }

  static func verdict(_ bytes: [UInt8]) throws -> ReplayVerdict {
    let memory = TraceMemory(bytes)
    return try Replay(of: memory, reduce: reduce) { _ = connect($0) }.verdict()
  }
}
