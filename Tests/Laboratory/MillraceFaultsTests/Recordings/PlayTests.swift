import Millrace
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

/// Recordings are played on test stores: as they are, with faults, and with ends of the program.
@Suite struct PlayTests {
  private func replay(_ memory: TraceMemory) throws -> Replay<Desk.State, Desk.Action> {
    try Replay(of: memory, reduce: Desk.reduce(nil))
  }

  private func store() -> TestStore<Desk.State, Desk.Action> {
    TestStore(initialState: Desk.State(), reduce: Desk.reduce(nil), connect: Desk.connect)
  }

  @Test("a test goes on where the recording has ended", arguments: 0..<UInt64(TestSize.count(5, full: 20)))
  func continues(_ seed: UInt64) async throws {
    let recording = try replay(try await Desk.recording(nil, seed: seed))
    let store = store()
    try store.play(recording)
    let last = try recording.lastState()
    #expect(store.state == last)
    store.send(.queryChanged("new")) { ($0.query, $0.isLoading) = ("new", true) }
    store.answer("new", with: Desk.SearchAction.arrived(["one"])) {
      ($0.results, $0.isLoading) = (["one"], false)
    }
    await store.finish()
  }

  @Test("a run that has sent and goes on does so in the test, too")
  func runThatGoesOn() async throws {
    let gate = Gate()
    @Sendable func connect(to store: Store<[Int], Int>) {
      let ticks = Effect { (_: String, send: Send<Int>) in
        for number in 1...3 { await send(number) }
        await gate.waitIgnoringCancellation()
      }
      store.connect(ticks, when: { _ in Optional("ticks") }, named: "ticks")
    }
    let memory = TraceMemory()
    let recorded = Store(
      initialState: [], reduce: { (state: inout [Int], number: Int) in state.append(number) })
    let recording = try recorded.record(to: .memory(memory))
    connect(to: recorded)
    try await gate.waiters(atLeast: 1)
    try await recording.finish()
    gate.open()
    let store = TestStore(initialState: [], reduce: { $0.append($1) }, connect: connect)
    try store.play(Replay(of: memory, reduce: { $0.append($1) }))
    #expect(store.state == [1, 2, 3])
    store.send(4, from: "ticks") { $0 = [1, 2, 3, 4] }
    store.answer("ticks", with: 5) { $0 = [1, 2, 3, 4, 5] }
    await store.finish()
  }

  private enum Line {
    enum Action: Codable, Hashable, Sendable { case done(String) }

    @Sendable static func reduce(_ state: inout [String], _ action: Action) {
      if case .done(let name) = action { state.append(name) }
    }

    @Sendable static func connect(
      to store: Store<[String], Action>, gates: [String: Gate], limit: Int
    ) {
      let work = Effect { (name: String, send: Send<Action>) in
        await gates[name]?.waitIgnoringCancellation()
        await send(.done(name))
      }
      store.connect(work.limited(to: limit), when: { Set(["a", "b", "c"]).subtracting($0) }, named: "work")
    }
  }

  @Test("runs that wait in line in the test are answered in the order of the recording")
  func line() async throws {
    let gates = ["a": Gate(), "b": Gate(), "c": Gate()]
    let memory = TraceMemory()
    let recorded = Store(initialState: [], reduce: Line.reduce)
    let recording = try recorded.record(to: .memory(memory))
    Line.connect(to: recorded, gates: gates, limit: 3)
    for name in ["c", "b", "a"] {
      gates[name]?.open()
      _ = await recorded.first { $0.last == name }
    }
    await recorded.settled()
    try await recording.finish()
    let store = TestStore(initialState: [], reduce: Line.reduce) {
      Line.connect(to: $0, gates: [:], limit: 1)
    }
    try store.play(Replay(of: memory, reduce: Line.reduce))
    #expect(store.state == ["c", "b", "a"])
    await store.finish()
  }

  @Test("a test store whose bodies are executed plays nothing, and says so")
  func bodies() async throws {
    let recording = try replay(try await Desk.recording(nil, seed: 1, actions: 3))
    try await withKnownIssue {
      let store = TestStore(
        initialState: Desk.State(), serving: .bodies, reduce: Desk.reduce(nil), connect: Desk.connect)
      try store.play(recording)
      #expect(store.state == Desk.State())
      await store.finish()
    } matching: { issue in
      "\(issue)".contains("A test store that serves by bodies cannot play a recording")
    }
  }

  @Test("a recording that begins with another state fails the test at the call")
  func anotherState() async throws {
    let recording = try replay(try await Desk.recording(nil, seed: 1, actions: 3))
    try await withKnownIssue {
      let store = TestStore(
        initialState: Desk.State(query: "other"), reduce: Desk.reduce(nil), connect: Desk.connect)
      try store.play(recording)
      #expect(store.state == Desk.State(query: "other"))
      await store.finish()
    } matching: { issue in
      "\(issue)".contains("The recording begins with another state than the test store")
    }
  }

  @Test("the fault matrix lets recorded requests go wrong")
  func faults() async throws {
    let recording = try replay(try await Desk.recording(nil, seed: 2, actions: 12))
    let matrix = FaultMatrix(
      initialState: Desk.State(), reduce: Desk.reduce(.failureForgotten), connect: Desk.connect
    )
    .failures(of: String.self) { _ in Desk.Offline() }
    .finally("no spinner") { !$0.isLoading }
    .pairs(atMost: TestSize.count(20, full: 500))
    let report = try await matrix.run(recording)
    #expect(!report.isClean)
    #expect("\(report)".contains("no spinner"), "\(report)")
    let mended = try await FaultMatrix(
      initialState: Desk.State(), reduce: Desk.reduce(nil), connect: Desk.connect
    )
    .failures(of: String.self) { _ in Desk.Offline() }
    .invariant("few greetings") { $0.greetings <= 1 }
    .pairs(atMost: TestSize.count(20, full: 500))
    .run(recording)
    #expect(mended.isClean, "\(mended)")
  }

  @Test("a recorded program ends and begins again at each of its points")
  func crashes() async throws {
    let recording = try replay(try await Desk.recording(nil, seed: 3, actions: 12))
    func report(_ persisting: @escaping @Sendable (Desk.State) -> Desk.State) async throws -> CrashReport {
      try await CrashAnywhere(
        initialState: Desk.State(), reduce: Desk.reduce(nil), persisting: persisting, connect: Desk.connect
      )
      .resetting(\.greetings).comparing { [$0.query, "\($0.rows)", "\($0.results)"] }
      .run(recording)
    }
    let kept = try await report { $0 }
    #expect(kept.isClean, "\(kept)")
    let lost = try await report { state in
      var state = state
      state.rows = []
      return state
    }
    #expect(!lost.isClean)
  }

  @Test("a recorded request is served once more by its effect alone")
  func runAgain() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: Desk.State(), reduce: Desk.reduce(nil))
    let recording = try store.record(to: .memory(memory))
    Desk.connect(to: store)
    await store.send(.queryChanged("odd?"))
    await store.settled()
    await store.send(.rowAdded(3))
    await store.settled()
    let folder = try TemporaryFolder()
    let path = folder.file("trace.jsonl")
    try await recording.writeOut(to: path)
    let failed = try await Desk.SearchEffect().outcome(ofRun: 1, in: path)
    #expect(failed == RunOutcome(end: .failed(Desk.Offline())))
    let loaded = try await Desk.RowEffect().outcome(ofRun: 2, in: path)
    #expect(loaded == RunOutcome(sent: [.loaded(3)]))
    await #expect(throws: TraceFailure.self) { _ = try await Desk.RowEffect().outcome(ofRun: 1, in: path) }
    await #expect(throws: TraceFailure.self) { _ = try await Desk.RowEffect().outcome(ofRun: 9, in: path) }
    #expect(store.state.rows[id: 3]?.value == 3)
    #expect(await store.shutdown().isClean)
  }
}
