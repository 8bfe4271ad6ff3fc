import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RandomSession
import TestSupport
import Testing

@testable import LonelyTimer
@testable import manytimers

/// Everything that may happen to two timers with a limit of two ticks.
@Suite("Timers in a list, explored")
struct TimerListExplorationTests {
  private typealias Tick = TickEffect<TestClock>.Tick

  private func explorer(
    _ reduce: @escaping Reducer<TimerList, TimerList.Action>
  ) -> Explorer<TimerList, TimerList.Action> {
    feature(reduce)
      .userActions { list in
        list.rows.flatMap { [.row($0.id, .toggled), .row($0.id, .reset), .removed($0.id)] }
      }
      .outcomes(of: Tick.self, sending: LonelyTimer.Action.self) { _ in [.sends(.ticked)] }
  }

  /// A user who seldom stops a timer, more seldom removes one, and adds it again.
  private func session(
    _ reduce: @escaping Reducer<TimerList, TimerList.Action>
  ) -> Explorer<TimerList, TimerList.Action> {
    feature(reduce)
      .userActions { list in
        (1...2).flatMap { id -> [TimerList.Action] in
          guard let timer = list.rows[id: id]?.timer else { return [.added(id)] }
          let others = [TimerList.Action.row(id, .toggled), .removed(id)]
          if timer.isRunning { return others }
          return others + Array(repeating: .row(id, timer.isDone ? .reset : .toggled), count: 8)
        }
      }
      .outcomes(of: Tick.self, sending: LonelyTimer.Action.self) { _ in
        Array(repeating: .sends(.ticked), count: 8)
      }
  }

  private func feature(
    _ reduce: @escaping Reducer<TimerList, TimerList.Action>
  ) -> Explorer<TimerList, TimerList.Action> {
    Explorer(
      initialState: TimerList(rows: 2, limit: 2), comparing: Self.seen, reduce: reduce, connect: Self.connect
    )
    .always("the done are those that have come to their limit") { list in
      list.done == list.rows.count { $0.timer.isDone }
    }
    .always("the timers that run tick") { list, running in list.running == running.count }
    .printingTests(using: "testStore()", comparing: "seen")
  }

  @Sendable private static func connect(to store: Store<TimerList, TimerList.Action>) {
    TimerList.connect(to: store, clock: TestClock())
  }

  /// What tells lists apart: all but the limit, which is that of every row.
  @Sendable private static func seen(_ list: TimerList) -> [String] {
    list.rows.map { "\($0.id): \($0.timer.ticks)\($0.timer.isRunning ? ", running" : "")" }
      + ["\(list.done) done"]
  }

  /// The planted bug: a timer that is removed is still counted.
  @Sendable private static func forgetfulReduce(_ list: inout TimerList, _ action: TimerList.Action) {
    let done = list.done
    TimerList.reduce(&list, action)
    if case .removed = action { list.done = done }
  }

  private func testStore(
    _ reduce: @escaping Reducer<TimerList, TimerList.Action> = Self.forgetfulReduce
  ) -> TestStore<TimerList, TimerList.Action> {
    TestStore(initialState: .init(rows: 2, limit: 2), reduce: reduce, connect: Self.connect)
  }

  private func seen(_ list: TimerList) -> [String] { Self.seen(list) }

  @Test("whatever is done to the timers, those that run tick, and those at their limit are counted")
  func shipped() {
    let report = explorer(TimerList.reduce).explore(states: 3_000)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 36)
  }

  @Test("a removed timer that is still counted is found in four moves")
  func stillCounted() async throws {
    let found = try #require(explorer(Self.forgetfulReduce).explore(states: 3_000).counterexamples.first)
    #expect(
      PrintedStory(found.story).moves == [
        "the user sends .row(1, .toggled)", "TickEffect Tick() in 1 sends .ticked",
        "TickEffect Tick() in 1 sends .ticked", "the user sends .removed(1)",
      ])
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore() } }
    await printedTest { testStore(TimerList.reduce) }
  }

  /// The test that the explorer prints.
  private func printedTest(_ testStore: () -> TestStore<TimerList, TimerList.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    store.send(.row(1, .toggled))
    // swift-format-ignore
    if store.inProgress(in: 1).contains(TickEffect<TestClock>.Tick()) { store.send(LonelyTimer.Action.ticked, from: TickEffect<TestClock>.Tick(), in: 1) }
    // swift-format-ignore
    if store.inProgress(in: 1).contains(TickEffect<TestClock>.Tick()) { store.send(LonelyTimer.Action.ticked, from: TickEffect<TestClock>.Tick(), in: 1) }
    store.send(.removed(1))
    let holds: (TimerList) -> Bool = { list in
      list.done == list.rows.count { $0.timer.isDone }
    }
    #expect(holds(store.state))
    await store.finish()
  }

  @Test("the recording of a long session by chance becomes a test of four moves")
  func longSession() async throws {
    let shrunk = try await session(Self.forgetfulReduce).shrunkSession(seed: 16)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves == 400 && found.steps.count == 4, "\(shrunk)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await shrunkTest { testStore() } }
    await shrunkTest { testStore(TimerList.reduce) }
  }

  /// The test to which the session is shrunk. The last tick stops its run.
  private func shrunkTest(_ testStore: () -> TestStore<TimerList, TimerList.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    store.send(.row(1, .toggled))
    // swift-format-ignore
    if store.inProgress(in: 1).contains(TickEffect<TestClock>.Tick()) { store.send(LonelyTimer.Action.ticked, from: TickEffect<TestClock>.Tick(), in: 1) }
    // swift-format-ignore
    if store.inProgress(in: 1).contains(TickEffect<TestClock>.Tick()) { store.answer(TickEffect<TestClock>.Tick(), in: 1, with: LonelyTimer.Action.ticked) }
    store.send(.removed(1))
    let holds: (TimerList) -> Bool = { list in
      list.done == list.rows.count { $0.timer.isDone }
    }
    #expect(holds(store.state))
    await store.finish()
  }
}
