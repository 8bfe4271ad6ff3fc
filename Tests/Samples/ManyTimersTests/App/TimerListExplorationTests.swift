import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
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
    Explorer(
      initialState: TimerList(rows: 2, limit: 2), comparing: Self.seen, reduce: reduce, connect: Self.connect
    )
    .userActions { list in
      list.rows.flatMap { [.row($0.id, .toggled), .row($0.id, .reset), .removed($0.id)] }
    }
    .outcomes(of: Tick.self, sending: LonelyTimer.Action.self) { _ in [.sends(.ticked)] }
    .always("the done are those that have come to their limit") { list in
      list.done == list.rows.count { $0.timer.isDone }
    }
    .always("the timers that run tick") { list, running in list.running == running.count }
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

  @Test("whatever is done to the timers, those that run tick, and those at their limit are counted")
  func shipped() {
    let report = explorer(TimerList.reduce).explore(states: 3_000)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 36)
  }

  @Test("a removed timer that is still counted is found in four moves")
  func stillCounted() throws {
    let found = try #require(explorer(Self.forgetfulReduce).explore(states: 3_000).counterexamples.first)
    #expect(
      PrintedStory(found.story).moves == [
        "the user sends .row(1, .toggled)", "TickEffect Tick() in 1 sends .ticked",
        "TickEffect Tick() in 1 sends .ticked", "the user sends .removed(1)",
      ])
  }
}
