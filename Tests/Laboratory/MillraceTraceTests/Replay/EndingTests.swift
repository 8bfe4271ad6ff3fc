import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@Suite("The end of a recording is replayed and compared", .timeLimit(.minutes(10)))
struct EndingTests {
  struct State: Codable, Hashable, Sendable {
    var wanted: Int?
    var pokes = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case chosen(Int)
    case poked
  }

  typealias Desk = Store<State, Action>
  typealias Connecting = @Sendable (Desk) -> Void

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .chosen(let number): state.wanted = number
    case .poked: state.pokes += 1
    }
  }

  /// A request of the state, and one that is always asked for, as that of a signal.
  static func connections(
    _ store: Desk, asking asked: @escaping @Sendable (State) -> Int? = \.wanted,
    working work: @escaping @Sendable () async -> Void = {}
  ) -> [Connection] {
    let always: @Sendable (State) -> Int? = { _ in 15 }
    return [
      store.connect(when: asked, named: "look") { _, _ in await work() },
      store.connect(when: always, named: "signal") { _, _ in await work() },
    ]
  }

  /// How a recorded store ends, with its runs in progress.
  enum Way: CaseIterable {
    case shutDown, shutDownInTime, shutDownBehindARun, finishedBeforeShutdown, released
    case disconnected, disconnectedBeforeAnAction
    case lifetimeShutDown, lifetimeDisconnected, lifetimeDisconnectedBeforeAnAction, nestedLifetimeShutDown

    /// What the program connects around the two effects.
    func around(_ connect: @escaping Connecting) -> Connecting {
      let isChosen: @Sendable (State) -> Bool = { $0.wanted != nil }
      switch self {
      case .lifetimeShutDown, .lifetimeDisconnected, .lifetimeDisconnectedBeforeAnAction:
        return { $0.connect(while: isChosen, named: "chosen") { connect($0) } }
      case .nestedLifetimeShutDown:
        return {
          $0.connect(while: isChosen, named: "outer") {
            $0.connect(while: isChosen, named: "inner") { connect($0) }
          }
        }
      default: return connect
      }
    }
  }

  enum Place: CaseIterable {
    case memory, file, ring
  }

  /// A recording, and what replays it.
  struct Recorded {
    let folder: TemporaryFolder
    let memory: TraceMemory?
    var path: String { folder.file("trace") }

    func replay(
      _ reduce: @escaping Reducer<State, Action> = EndingTests.reduce,
      _ connect: @escaping Connecting = { _ = EndingTests.connections($0) }
    ) throws -> Replay<State, Action> {
      try memory.map { try Replay(of: $0, reduce: reduce, connect: connect) }
        ?? Replay(of: path, reduce: reduce, connect: connect)
    }

    var text: TraceText {
      get throws { try memory.map { try TraceText($0.bytes) } ?? FileTests.read(path) }
    }
  }

  /// Records a store to its end.
  static func record(_ way: Way, in place: Place = .memory, every: Int = 64) async throws -> Recorded {
    let memory = place == .memory ? TraceMemory() : nil
    let recorded = Recorded(folder: try TemporaryFolder(), memory: memory)
    let destination =
      memory.map { TraceDestination.memory($0) }
      ?? (place == .file ? .file(recorded.path) : .ring(recorded.path))
    let gate = Gate()
    let isStubborn = way == .shutDownBehindARun
    var store: Desk! = Desk(initialState: State(), reduce: reduce)
    let recording = try store.record(to: destination, snapshotEvery: every)
    let kept = Lock<[Connection]>([])
    way.around { store in
      let work: @Sendable () async -> Void = {
        if isStubborn { await gate.waitIgnoringCancellation() } else { try? await gate.wait() }
      }
      let connections = connections(store, working: work)
      kept.withLock { $0 = connections }
    }(store)
    await store.send(.poked)
    await store.send(.chosen(1))
    try await gate.waiters(atLeast: 2)
    switch way {
    case .shutDown, .lifetimeShutDown, .nestedLifetimeShutDown: await store.shutdown()
    case .shutDownInTime: await store.shutdown(graceful: .seconds(1), clock: ImmediateClock())
    case .shutDownBehindARun:
      await store.send(.chosen(2))
      let (closing, clock) = (store!, TestClock())
      async let report = closing.shutdown(graceful: .seconds(1), clock: clock)
      try await clock.sleepers(atLeast: 1)
      gate.open()
      _ = await report
    case .finishedBeforeShutdown:
      try await recording.finish()
      await store.shutdown()
    case .released: store = nil
    case .disconnected, .lifetimeDisconnected, .disconnectedBeforeAnAction,
      .lifetimeDisconnectedBeforeAnAction:
      for connection in kept.withLock(\.self) {
        connection.disconnect()
        await connection.finished()
      }
      if way == .disconnectedBeforeAnAction || way == .lifetimeDisconnectedBeforeAnAction {
        await store.send(.poked)
      }
      try await recording.finish()
    }
    await recording.connection.finished()
    try await recording.flush()
    if case .end = try recorded.text.lines.last?.line {} else { Issue.record("\(way) has no end") }
    return recorded
  }

  @Test(
    "the unchanged program does the same, and a recording has its last snapshot, however it ends",
    arguments: Way.allCases, Place.allCases)
  func same(_ way: Way, in place: Place) async throws {
    let recorded = try await Self.record(way, in: place)
    let verdict = try recorded.replay(Self.reduce, way.around { _ = Self.connections($0) }).verdict()
    #expect(verdict.isSame, "\(verdict)")
    let text = try recorded.text
    let last = try #require(text.actions.last?.sequence)
    #expect(text.snapshots.map(\.sequence) == [0, last])
    let alone = try recorded.replay(Self.reduce, { _ in }).verdict(without: ["look", "signal"])
    let summary = try #require(alone.summary, "\(alone)")
    #expect((summary.snapshots, summary.lastComparedAction, summary.uncomparedActions) == (1, last, 0))
    #expect(!summary.description.contains("no state was compared"))
  }

  @Test("a difference at the last action is found", arguments: Way.allCases, [1, 64])
  func different(_ way: Way, every: Int) async throws {
    let recorded = try await Self.record(way, every: every)
    let none = try recorded.replay(Self.reduce, way.around { _ = Self.connections($0) { _ in nil } })
    let missing = try #require(none.verdict().requestDifference, "\(none.verdict())")
    #expect(missing.lines.contains("recorded: starts look 1"))
    let more = try recorded.replay(
      Self.reduce, way.around { _ = Self.connections($0) { $0.wanted.map { $0 + 1 } } })
    let other = try #require(more.verdict().requestDifference, "\(more.verdict())")
    #expect(other.lines.contains("replayed: starts look 2"))
    let states = try recorded.replay(
      { state, action in
        Self.reduce(&state, action)
        if state.wanted != nil { state.pokes += 1 }
      }, way.around { _ = Self.connections($0) })
    #expect(states.verdict().stateDifference != nil, "\(states.verdict())")
  }
}

@Suite("A recording that ends in order has the last state", .timeLimit(.minutes(10)))
struct LastSnapshotTests {
  @Test("a recording has its last snapshot once, where a snapshot follows each action")
  func once() async throws {
    let text = try await EndingTests.record(.shutDown, every: 1).text
    #expect(text.snapshots.map(\.sequence) == [0, 1, 2])
  }

  @Test("in the file of the actions before it, also where the next snapshot would begin another file")
  func rotated() async throws {
    let folder = try TemporaryFolder()
    let store = Store(initialState: 0) { (state: inout Int, text: String) in state += text.utf8.count }
    let recording = try store.record(to: .file(folder.file("trace"), rotatingAt: 2_000, keeping: 0))
    await store.send(String(repeating: "x", count: 2_000))
    try await recording.flush()
    try await recording.finish()
    let text = try FileTests.read(folder.file("trace"))
    #expect(text.header.part == 1)
    #expect(text.snapshots.map(\.state) == [.json(.int(0)), .json(.int(2_000))])
  }

  @Test("a redacted recording is compared to its last snapshot with the same rules, and not with others")
  func redacted() async throws {
    let rules: [Redaction] = [.keyPath(\Shop.Price.count, named: "counts", with: 0)]
    let names: [Redaction] = [.text(named: "names") { $0 == "tea" ? "-" : $0 }]
    for rules in [rules, names] {
      let memory = TraceMemory(try await record(redacting: rules) { await $0.send(.wanted("tea", count: 2)) })
      let verdict = try Replay(of: memory, redacting: rules, reduce: Shop.reduce) { Shop.connect($0) }
        .verdict()
      #expect(try #require(verdict.summary, "\(verdict)").uncomparedActions == 0)
      #expect(throws: TraceFailure.self) { try ReplayTests.replay(memory) }
    }
  }

  @Test("a recording of a killed program says after which action no state was compared")
  func killed() async throws {
    for (every, words) in [(64, "no state was compared"), (2, "no state was compared after action 2")] {
      let memory = TraceMemory()
      let store = Store(initialState: 0) { (state: inout Int, step: Int) in state += step }
      let recording = try store.record(to: .memory(memory), snapshotEvery: every)
      try await recording.flush()
      for _ in 1...3 {
        await store.send(1)
        try await recording.flush()
      }
      let verdict = try Replay(of: memory) { (state: inout Int, step: Int) in state += step }.verdict()
      let summary = try #require(verdict.summary, "\(verdict)")
      #expect(verdict.isSame)
      #expect(summary.lastComparedAction == (every == 2 ? 2 : nil))
      #expect(summary.uncomparedActions == (every == 2 ? 1 : 3))
      #expect(verdict.description.hasSuffix("; \(words)"))
      await store.shutdown()
    }
  }
}
