import Millrace
import MillraceExplorer
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

/// The way of a recorded program is gone again in the model, and shrunk to a test.
@Suite struct ShrinkTests {
  private func replay(_ memory: TraceMemory, _ bug: Desk.Bug? = nil) throws -> Replay<Desk.State, Desk.Action>
  {
    try Replay(of: memory, reduce: Desk.reduce(bug))
  }

  @Test("a long session without a bug is gone to its end")
  func clean() async throws {
    let memory = try await Desk.recording(nil, seed: 1)
    let shrunk = try Desk.explorer(nil)
      .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
      .shrink(replay(memory))
    #expect(shrunk.isClean, "\(shrunk)")
    #expect(shrunk.recordedMoves > 200 && shrunk.madeMoves == shrunk.recordedMoves)
    #expect(shrunk.description == "Went \(shrunk.madeMoves) of \(shrunk.recordedMoves) recorded moves.")
  }

  @Test("a failure in a long session becomes two moves, and a test that fails")
  func failure() async throws {
    let memory = try await Desk.recording(.failureForgotten, seed: 2)
    let shrunk = try Desk.explorer(.failureForgotten)
      .printingTests(using: "deskTestStore(.failureForgotten)")
      .always("no spinner without a request") { state, running in
        !state.isLoading || running.contains(state.query)
      }
      .shrink(replay(memory, .failureForgotten))
    let found = try #require(shrunk.counterexample)
    #expect(!shrunk.isClean)
    #expect(found.steps.count == 2, "\(found)")
    #expect(shrunk.madeMoves > 2 && shrunk.recordedMoves > 200)
    #expect("\(shrunk)".hasSuffix("those up to the violation, to 2."))
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation {
      let store = deskTestStore(.failureForgotten)
      store.exhaustivity = .none
      store.send(.queryChanged("odd?"))
      if store.inProgress().contains("odd?") { store.fail("odd?", with: Desk.Offline()) }
      let holds: (Desk.State, RunningRequests) -> Bool = { state, running in
        !state.isLoading || running.contains(state.query)
      }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }

  @Test("an element's own action is found in the one that the store reduced")
  func element() async throws {
    let memory = try await Desk.recording(.lateRow, seed: 3)
    let shrunk = try Desk.explorer(.lateRow)
      .printingTests(using: "deskTestStore(.lateRow)")
      .always("a row that has loaded asks no more") { state in
        state.rows.allSatisfy { $0.value == nil || !$0.isAsked }
      }
      .shrink(replay(memory, .lateRow))
    let found = try #require(shrunk.counterexample)
    #expect(found.steps.count == 2, "\(found)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation {
      let store = deskTestStore(.lateRow)
      store.exhaustivity = .none
      store.send(.rowAdded(3))
      if store.inProgress(in: 3).contains(3) { store.answer(3, in: 3, with: Desk.RowAction.loaded(3)) }
      let holds: (Desk.State) -> Bool = { state in
        state.rows.allSatisfy { $0.value == nil || !$0.isAsked }
      }
      #expect(holds(store.state))
      await store.finish()
    }
  }

  @Test("what closures send is reduced once, in the recording and here")
  func closures() async throws {
    let memory = try await Desk.recording(.greetingKept, seed: 4)
    let shrunk = try Desk.explorer(.greetingKept)
      .always("greeted at most twice") { $0.greetings <= 2 }
      .shrink(replay(memory, .greetingKept))
    let found = try #require(shrunk.counterexample)
    let users = found.steps.filter { if case .action = $0 { true } else { false } }
    let sent = found.steps.filter { if case .closure = $0 { true } else { false } }
    #expect(sent.count == 3 && users.count == 5, "\(found)")
  }

  @Test("moves of effects that are not connected are said")
  func leftOut() async throws {
    let memory = try await Desk.recording(nil, seed: 5)
    let explorer = Explorer(
      initialState: Desk.State(), reduce: Desk.reduce(nil),
      connect: { $0.connect(Desk.SearchEffect(), to: \.self, action: Desk.Action.search, named: "search") })
    let shrunk = try explorer.never("nothing") { _ in false }.shrink(replay(memory))
    #expect(!shrunk.isClean && shrunk.counterexample == nil)
    #expect(shrunk.leftOut.count > 20)
    #expect(shrunk.leftOut.allSatisfy { $0.contains(" of row #") })
    #expect("\(shrunk)".contains("The feature has no such run, so these moves are left out:"))
    #expect("\(shrunk)".contains("  and \(shrunk.leftOut.count - 20) more"))
  }

  @Test("without a property of states nothing is clean")
  func noProperty() async throws {
    let memory = try await Desk.recording(nil, seed: 6, actions: 3)
    let shrunk = try Desk.explorer(nil).alwaysReachable("rests") { !$0.isLoading }.shrink(replay(memory))
    #expect(!shrunk.isClean)
    #expect("\(shrunk)".hasPrefix("There is no property that holds always or never."))
  }

  @Test("a violation before the first move is one without moves")
  func atOnce() async throws {
    let memory = try await Desk.recording(nil, seed: 7, actions: 5)
    let shrunk = try Desk.explorer(nil).never("a beginning") { $0 == Desk.State() }.shrink(replay(memory))
    #expect(shrunk.counterexample?.steps.count == 0)
    #expect(shrunk.madeMoves == 0)
  }

  @Test("what is shrunk goes on to violate the same property")
  func sameProperty() async throws {
    let reduce: Reducer<[Int], Int> = { $0.append($1) }
    let memory = try await recorded(
      [], reduce: reduce, using: { for number in 1...2 { await $0.send(number) } })
    let shrunk = try Explorer(initialState: [], reduce: reduce)
      .never("one, two") { $0 == [1, 2] }
      .never("two alone") { $0 == [2] }
      .shrink(Replay(of: memory, reduce: reduce))
    #expect(shrunk.counterexample?.property == #"never("one, two")"#)
    #expect(shrunk.counterexample?.steps.count == 2)
  }

  @Test("an effect's action is the one that its connection wraps, also where both have one type")
  func wrapped() async throws {
    let memory = try await recorded(0, reduce: Wrapping.reduce, connect: Wrapping.connect)
    let shrunk = try Explorer(initialState: 0, reduce: Wrapping.reduce, connect: Wrapping.connect)
      .never("two") { $0 == 2 }
      .shrink(Replay(of: memory, reduce: Wrapping.reduce))
    guard case .outcome(let outcome) = try #require(shrunk.counterexample).steps.last else {
      Issue.record("\(shrunk)")
      return
    }
    #expect(outcome.actions as? [Wrapping.Action] == [.tick(2)])
  }

  private enum Wrapping {
    indirect enum Action: Codable, Hashable, Sendable {
      case tick(Int)
      case within(Action)
    }

    @Sendable static func reduce(_ state: inout Int, _ action: Action) {
      if case .within(.tick(let number)) = action { state = number }
    }

    @Sendable static func connect(to store: Store<Int, Action>) {
      let ticks = Effect { (_: Int, send: Send<Action>) in for number in 1...3 { await send(.tick(number)) } }
      store.connect(ticks, when: { _ in Optional(7) }, action: Action.within, named: "ticks")
    }
  }

  @Test("an action in which the effect's own is not found is told as one of a component, and the run returns")
  func lostAction() async throws {
    let memory = try await recorded(0, reduce: Refreshing.reduce, connect: Refreshing.connect)
    let shrunk = try Explorer(initialState: 0, reduce: Refreshing.reduce, connect: Refreshing.connect)
      .never("refreshed, at rest") { state, running in state == 1 && running.isEmpty }
      .shrink(Replay(of: memory, reduce: Refreshing.reduce))
    let found = try #require(shrunk.counterexample)
    #expect(found.steps.count == found.states.count - 1)
    #expect(found.story.contains("1. refresh sends .refreshed"), "\(found)")
    #expect(found.story.contains("2. refresh 7 returns without an answer"), "\(found)")
    #expect(found.test.contains("store.send(.refreshed)"), "\(found)")
    let played = TestStore(initialState: 0, reduce: Refreshing.reduce, connect: Refreshing.connect)
    try played.play(Replay(of: memory, reduce: Refreshing.reduce))
    #expect(played.state == 1 && played.running.isEmpty)
    await played.finish()
  }

  private enum Refreshing {
    enum Action: Codable, Hashable, Sendable { case refreshed }

    @Sendable static func reduce(_ state: inout Int, _ action: Action) { state += 1 }

    /// The action of the effect says nothing that the store's has.
    @Sendable static func connect(to store: Store<Int, Action>) {
      let refresh = Effect { (_: Int, send: Send<String>) in await send("done") }
      store.connect(refresh, when: { _ in Optional(7) }, action: { _ in .refreshed }, named: "refresh")
    }
  }

  @Test("runs of elements with equal requests are told apart by what they send")
  func equalRequests() async throws {
    let memory = TraceMemory()
    let recording = Lock<TraceRecording?>(nil)
    let store = TestStore(initialState: Lamps.State(), reduce: Lamps.reduce) { store in
      recording.withLock { $0 = try? store.record(to: .memory(memory)) }
      Lamps.connect(to: store)
    }
    store.exhaustivity = .none
    for lamp in [1, 2] { store.send(.switched(lamp)) }
    for lamp in [2, 1] { store.send(Lamps.LampAction.blinked, from: 0, in: lamp) }
    for _ in 1...2 { store.send(.switched(2)) }
    store.send(Lamps.LampAction.blinked, from: 0, in: 2)
    try await recording.withLock { $0 }?.finish()
    await store.finish()
    let shrunk = try Explorer(initialState: Lamps.State(), reduce: Lamps.reduce, connect: Lamps.connect)
      .never("two blinks of the second") { $0.lamps[id: 2]?.blinks == 2 }
      .shrink(Replay(of: memory, reduce: Lamps.reduce))
    #expect(shrunk.leftOut == [] && shrunk.madeMoves == 7, "\(shrunk)")
    #expect(shrunk.counterexample?.test.contains("from: 0, in: 2)") == true, "\(shrunk)")
  }

  /// Lamps that ask for the same while they are on.
  private enum Lamps {
    struct Lamp: Identifiable, Codable, Hashable {
      let id: Int
      var isOn = false
      var blinks = 0
    }

    struct State: Codable, Hashable { var lamps: KeyedArray<Lamp> = [Lamp(id: 1), Lamp(id: 2)] }
    enum LampAction: Codable, Hashable { case blinked }
    enum Action: Codable, Hashable {
      case switched(Int)
      case lamp(Int, LampAction)
    }

    @Sendable static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .switched(let id): state.lamps[id: id]?.isOn.toggle()
      case .lamp(let id, .blinked): state.lamps[id: id]?.blinks += 1
      }
    }

    @Sendable static func connect(to store: Store<State, Action>) {
      let blinking = Effect { (_: Int, send: Send<LampAction>) in await send(.blinked) }
      store.connectEach(\.lamps, action: Action.lamp) { _, lamp in
        lamp.connect(blinking, when: { $0.isOn ? 0 : nil }, named: "blinking")
      }
    }
  }

  @Test("a flight recorder is gone from its oldest whole snapshot on")
  func ring() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ring")
    let store = Store(initialState: Desk.State(), reduce: Desk.reduce(nil))
    let recording = try store.record(to: .ring(path, bytes: 48 << 10))
    Desk.connect(to: store)
    var random = SeededGenerator(seed: 9)
    for _ in 0..<1_000 {
      await store.send(Desk.action(using: &random))
      await store.settled()
    }
    try await recording.finish()
    let replay = try Replay<Desk.State, Desk.Action>(of: path, reduce: Desk.reduce(nil))
    let last = try replay.lastState()
    let wholes = try TraceText(contentsOf: path).lines.count { $0.line.isWholeSnapshot }
    #expect(wholes > 1)
    let shrunk = try Desk.explorer(nil).never("the end") { $0 == last }.shrink(replay)
    let found = try #require(shrunk.counterexample, "\(shrunk)")
    #expect(found.states.last == last)
    #expect(shrunk.recordedMoves > 20 && shrunk.recordedMoves < 1_000)
  }

  @Test("a late recording begins with the runs that were in progress")
  func late() async throws {
    let gate = Gate()
    let memory = TraceMemory()
    struct Waiting: EffectComponent {
      let gate: Gate
      func requests(in state: Desk.State) -> Set<String> { state.isLoading ? [state.query] : [] }
      func run(_ query: String, send: Send<Desk.Action>) async {
        await gate.waitIgnoringCancellation()
        await send(.search(.arrived([query])))
      }
    }
    let store = Store(initialState: Desk.State(), reduce: Desk.reduce(nil))
    store.connect(Waiting(gate: gate), named: "search")
    await store.send(.queryChanged("swift"))
    try await gate.waiters(atLeast: 1)
    let recording = try store.record(to: .memory(memory))
    gate.open()
    await store.settled()
    try await recording.finish()
    let explorer = Explorer(
      initialState: Desk.State(), reduce: Desk.reduce(nil),
      connect: { $0.connect(Waiting(gate: gate), named: "search") })
    let shrunk = try explorer.never("results") { !$0.results.isEmpty }.shrink(replay(memory))
    let found = try #require(shrunk.counterexample)
    #expect(found.states.first == Desk.State(query: "swift", isLoading: true))
    #expect(found.story.contains("search \"swift\" answers"), "\(found)")
    #expect(shrunk.leftOut == [])
  }

  @Test("a recording whose actions do not decode says so")
  func undecodable() async throws {
    enum Other: Codable, Sendable { case other }
    let memory = try await Desk.recording(nil, seed: 8, actions: 5)
    let explorer = Explorer(initialState: Desk.State(), reduce: { (_: inout Desk.State, _: Other) in })
      .never("nothing") { _ in false }
    #expect {
      _ = try explorer.shrink(
        Replay<Desk.State, Other>(of: memory, from: Desk.State(), reduce: { _, _ in }))
    } throws: { "\($0)".contains("does not decode: ") }
  }

  @Test(
    "the shrunk way is at most five actions longer than the shortest",
    arguments: 0..<UInt64(TestSize.count(5, full: 20)))
  func nearlyShortest(_ seed: UInt64) async throws {
    for bug in [Desk.Bug.failureForgotten, .lateRow] {
      let memory = try await Desk.recording(bug, seed: seed + 100)
      let shrunk = try Desk.explorer(bug)
        .always("no spinner without a request") { state, running in
          !state.isLoading || running.contains(state.query)
        }
        .always("a row that has loaded asks no more") { state in
          state.rows.allSatisfy { $0.value == nil || !$0.isAsked }
        }
        .shrink(replay(memory, bug))
      // By chance, a session may have come past the bug.
      guard let found = shrunk.counterexample else { continue }
      #expect(found.steps.count <= 2, "\(found)")
    }
  }
}

private func deskTestStore(_ bug: Desk.Bug?) -> TestStore<Desk.State, Desk.Action> {
  TestStore(initialState: Desk.State(), reduce: Desk.reduce(bug), connect: Desk.connect)
}

extension TraceLine {
  fileprivate var isWholeSnapshot: Bool {
    if case .snapshot(let line) = self { line.whole != nil } else { false }
  }
}
