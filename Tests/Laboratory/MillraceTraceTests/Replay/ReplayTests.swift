import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceTrace

@Suite("A recording is replayed and compared")
struct ReplayTests {
  typealias Change = @Sendable (inout Shop.State, Shop.Action) -> Void

  /// A session with results, failures, restarts and stops.
  static func session(every: Int = 1) async throws -> TraceMemory {
    let gate = Gate()
    let memory = TraceMemory()
    let prices = Shop.PriceEffect { if $0.name == "slow" { await gate.waitIgnoringCancellation() } }
    let store = Store(initialState: Shop.State(), reduce: Shop.reduce)
    let recording = try store.record(to: .memory(memory), snapshotEvery: every)
    Shop.connect(store, prices: prices)
    store.dispatch(.wanted("tea", count: 2))
    store.dispatch(.wanted("slow", count: 1))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.wanted("slow", count: 3))
    store.dispatch(.wanted("", count: 1))
    for action in [Shop.Action.auditAsked(1), .auditAsked(2), .audited(2)] { store.dispatch(action) }
    await store.send(.unwanted("slow"))
    await store.send(.wanted("slow", count: 4))
    gate.open()
    await store.settled()
    await store.send(.unwanted("tea"))
    await store.send(.cleared)
    await store.settled()
    try await recording.finish()
    return memory
  }

  static func replay(
    _ memory: TraceMemory, prices: some EffectComponent<Shop.State, Shop.Action> = Shop.PriceEffect(),
    reduce: @escaping Change = Shop.reduce
  ) throws -> ReplayVerdict {
    try Replay(of: memory, reduce: reduce) { store in
      store.connect(prices, named: "prices")
      Shop.connectAudits(store)
    }.verdict()
  }

  @Test("the replay of an unchanged feature has the verdict same")
  func same() async throws {
    let verdict = try Self.replay(try await Self.session())
    let summary = try #require(verdict.summary, "\(verdict)")
    #expect(summary.actions > 10)
    #expect(summary.snapshots > 2)
    #expect(summary.decisions > 8)
    #expect(summary.notReplayed == [])
    #expect(summary.notRecorded == [])
    #expect(verdict.exitCode == 0)
  }

  @Test("a changed branch of the reducer is found at its first action")
  func changedReducer() async throws {
    let verdict = try Self.replay(try await Self.session()) { state, action in
      if case .failed = action { return }
      Shop.reduce(&state, action)
    }
    let difference = try #require(verdict.stateDifference, "\(verdict)")
    #expect(difference.action.hasPrefix(".failed"))
    #expect(difference.lines == ["failures[0]: \"nothing\" removed"])
    #expect(difference.cause.hasPrefix("sent by run #"))
    #expect(verdict.exitCode == 1)
  }

  /// Asks for more than it should.
  struct GreedyEffect: EffectComponent {
    let base = Shop.PriceEffect()
    func id(of price: Shop.Price) -> String { base.id(of: price) }
    func requests(in state: Shop.State) -> Set<Shop.Price> {
      var requests = base.requests(in: state)
      if !state.failures.isEmpty { requests.insert(Shop.Price(name: "more", count: 0)) }
      return requests
    }
    func run(_ price: Shop.Price, send: Send<Shop.Action>) async {}
  }

  @Test("a changed request is found at the action that asks for it, where all states are the same")
  func changedRequest() async throws {
    let verdict = try Self.replay(try await Self.session(), prices: GreedyEffect())
    let difference = try #require(verdict.requestDifference, "\(verdict)")
    #expect(difference.action.hasPrefix(".failed"))
    #expect(difference.lines == ["replayed: starts prices {\"name\":\"more\",\"count\":0}"])
    #expect(difference.actions.count == 1)
    #expect(verdict.exitCode == 2)
  }

  /// Restarts nothing.
  struct IgnoringEffect: EffectComponent {
    let base = Shop.PriceEffect()
    var replacement: RequestReplacement { .ignore }
    func id(of price: Shop.Price) -> String { base.id(of: price) }
    func requests(in state: Shop.State) -> Set<Shop.Price> { base.requests(in: state) }
    func run(_ price: Shop.Price, send: Send<Shop.Action>) async {}
  }

  @Test("a changed fate of a replaced request is found")
  func changedReplacement() async throws {
    let verdict = try Self.replay(try await Self.session(), prices: IgnoringEffect())
    let difference = try #require(verdict.requestDifference, "\(verdict)")
    #expect(difference.lines == ["recorded: stops prices {\"name\":\"slow\",\"count\":1}"])
  }

  enum Renamed: Codable, Sendable {
    case wanted(String, count: String)
    case unwanted(String)
    case priced(String, Int)
    case auditAsked(Int)
    case audited(Int)
    case cleared
  }

  @Test("actions of a changed type are told by their cases")
  func changedType() async throws {
    let replay = try Replay(of: try await Self.session()) { (_: inout Shop.State, _: Renamed) in }
    guard case .doesNotDecode(let line, let kinds) = replay.verdict() else {
      Issue.record("\(replay.verdict())")
      return
    }
    #expect(line > 1)
    #expect(kinds.map(\.name) == [".failed", ".wanted"])
    #expect(kinds.map(\.isRemoved) == [true, false])
    #expect(kinds[1].problem == "a number, where a string is expected in wanted.count")
    #expect(replay.verdict().exitCode == 3)
  }

  @Test("what one of the two does not connect is said")
  func names() async throws {
    let memory = try await Self.session()
    let none = try Replay(of: memory, reduce: Shop.reduce).verdict()
    #expect(try #require(none.summary, "\(none)").notReplayed == ["audits", "prices"])
    let more = try Replay(of: memory, reduce: Shop.reduce) { store in
      Shop.connect(store)
      store.connect(GreedyEffect(), named: "more")
    }.verdict()
    #expect(try #require(more.summary, "\(more)").notRecorded == ["more"])
  }

  @Test("an effect that was renamed, or is no longer connected, is not the same")
  func renamed() async throws {
    let memory = try await Self.session()
    let renamed = try Replay(of: memory, reduce: Shop.reduce) { store in
      store.connect(Shop.PriceEffect(), named: "costs")
      Shop.connectAudits(store)
    }.verdict()
    #expect(
      !renamed.isSame && "\(renamed)".contains("prices") && "\(renamed)".contains("costs"), "\(renamed)")
    let gone = try Replay(of: memory, reduce: Shop.reduce) { store in Shop.connectAudits(store) }.verdict()
    #expect(!gone.isSame && "\(gone)".contains("prices"), "\(gone)")
    #expect(try !Replay(of: memory, reduce: Shop.reduce) { _ in }.verdict().isSame)
  }

  @Test("a difference of states is of all actions since the last snapshot, and blames none of them")
  func window() async throws {
    let verdict = try Self.replay(try await Self.session(every: 1000)) { state, action in
      if case .failed = action { return }
      Shop.reduce(&state, action)
      if case .cleared = action { state.failures = ["more"] }
    }
    let difference = try #require(verdict.stateDifference, "\(verdict)")
    #expect(difference.actions.count > 5)
    #expect(!difference.action.hasPrefix("."), "\(difference)")
    #expect(difference.action.contains("2 .unwanted"), "\(difference)")
    #expect(!difference.cause.contains("sent"), "\(difference)")
  }

  @Test("an effect that was recorded is not said to be missing, wherever it was recorded")
  func recordedBeforeGap() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: Shop.State(), reduce: Shop.reduce)
    let recording = try store.record(to: .memory(memory))
    let prices = store.connect(Shop.PriceEffect(), named: "prices")
    Shop.connectAudits(store)
    await store.send(.wanted("tea", count: 2))
    await store.settled()
    prices.disconnect()
    await store.send(.auditAsked(1))
    await store.settled()
    try await recording.finish()
    // The recording goes on behind a gap, where one effect is not connected any more.
    let text = try TraceText(memory.bytes)
    let state = try #require(text.snapshots.last)
    var table = LiveTable()
    for case .connection(let line) in text.lines.map(\.line) { table.handle(line) }
    let behind = [TraceLine.lost(3), .whole(state.state, after: state.sequence, table), .end(time: 9)]
    let gap = TraceMemory(text.header, text.lines.dropLast().map(\.line) + behind)
    let summary = try #require(try Self.replay(gap).summary)
    #expect(summary.gaps == 1)
    #expect(summary.notRecorded == [])
  }

  @Test("any state of a recording can be had, to go on from", arguments: [1, 1000])
  func states(every: Int) async throws {
    let replay = try Replay(of: try await Self.session(every: every), reduce: Shop.reduce)
    #expect(try replay.state(at: 0) == Shop.State())
    #expect(try replay.state(at: 1).wanted == ["tea": 2])
    #expect(try replay.state(at: UInt64(replay.text.actions.count)) == Shop.State())
    #expect(throws: TraceFailure.self) { try replay.state(at: 1000) }
  }

  /// A request whose parts a recording does not tell apart.
  private struct Fetch: Encodable, Hashable, Sendable {
    var page = 1
    let part: Int

    enum CodingKeys: CodingKey { case page }
  }

  @Test("requests of one effect that read alike begin and end once each")
  func alike() async throws {
    let gate = Gate()
    let reduce: @Sendable (inout Int, Int) -> Void = { $0 = $1 }
    let connect: @Sendable (Store<Int, Int>) -> Void = { store in
      store.connect(
        when: { Set((0..<$0).map { Fetch(part: $0) }) }, named: "fetch",
        run: { _, _ in try? await gate.wait() })
    }
    let memory = TraceMemory()
    let store = Store(initialState: 0, reduce: reduce)
    let recording = try store.record(to: .memory(memory), snapshotEvery: 1000)
    connect(store)
    await store.send(3)
    await store.send(0)
    await store.settled()
    try await recording.finish()
    let verdict = try Replay(of: memory, reduce: reduce, connect: connect).verdict()
    #expect(verdict.isSame, "\(verdict)")
  }

  private struct Search: Codable, Hashable, Sendable {
    var field: Int?
    var query: Int?
  }

  @Test("a lifetime and an effect of one name are told apart by their order", arguments: [1, 1000])
  func oneName(every: Int) async throws {
    let reduce: @Sendable (inout Search, Search) -> Void = { $0 = $1 }
    let connect: @Sendable (Store<Search, Search>) -> Void = { store in
      let query = { @Sendable (query: Int) in Search(query: query) }
      store.connectIfPresent(\.field, action: query, named: "search") { _ in }
      store.connect(when: \.query, named: "search") { _, _ in }
    }
    let memory = TraceMemory()
    let store = Store(initialState: Search(), reduce: reduce)
    let recording = try store.record(to: .memory(memory), snapshotEvery: every)
    connect(store)
    await store.send(Search(field: 1, query: 1))
    await store.send(Search(query: 2))
    await store.settled()
    try await recording.finish()
    #expect(try Replay(of: memory, reduce: reduce, connect: connect).verdict().isSame)
  }
}

/// Lines that other threads write, of what they wait for and the like, say nothing of what is decided.
@Suite("What stands between the lines of a turn changes no verdict")
struct LinesBetweenTests {
  /// A run that gets its next number and returns without taking it: another run begins with that.
  private struct LeavingEffect: EffectComponent {
    let gate: Gate
    var replacement: RequestReplacement { .handOver }
    func id(of number: Int) -> String { "left" }
    func requests(in wanted: Int) -> Set<Int> { [wanted] }
    func run(_ number: Int, send: Send<Int>) async { await gate.waitIgnoringCancellation() }
  }

  private static func connect(_ store: Store<Int, Int>, _ gate: Gate = Gate()) {
    store.connect(LeavingEffect(gate: gate), named: "leaving")
  }

  @Test("a value that a run has left", arguments: ["wait", "updated", "note", "refused", "details"])
  func left(between: String) async throws {
    let gate = Gate()
    let memory = TraceMemory()
    let store = Store(initialState: 1) { (wanted: inout Int, next: Int) in wanted = next }
    let recording = try store.record(to: .memory(memory))
    Self.connect(store, gate)
    await store.send(2)
    gate.open()
    await store.settled()
    try await recording.finish()

    let text = try TraceText(memory.bytes)
    let line: TraceLine =
      switch between {
      case "wait": .wait(WaitLine(generation: 9, number: 99, time: 1, reason: "another run"))
      case "updated": .updated(connection: 99, sequence: 1, time: 1)
      case "note": .note(NoteLine(kind: NoteLine.diagnostic, text: "late", time: 1))
      case "refused":
        .turnedAway(
          TurnedAwayLine(
            fate: "refused", time: 1, payload: .text("3"), givenKind: nil,
            cause: CauseFields(site: "a.swift:1")))
      default: .gap(GapLine(time: 1, lost: 2, details: 2))
      }
    let lines = text.lines.map(\.line)
    let starts = text.runs.filter { if case .start = $0.event { true } else { false } }
    #expect(starts.count == 2)
    let spread = TraceMemory(text.header, [line] + lines.flatMap { [$0, line] })
    for memory in [memory, spread] {
      let verdict = try Replay(of: memory) { (wanted: inout Int, next: Int) in
        wanted = next
      } connect: {
        Self.connect($0)
      }
      .verdict()
      #expect(verdict.summary?.decisions == 2, "\(verdict)")
    }
  }
}
