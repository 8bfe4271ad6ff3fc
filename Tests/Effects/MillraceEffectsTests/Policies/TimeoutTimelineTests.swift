import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct TimeoutTimelineTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of runs that take too long, told by an action")
  func action() {
    func timeout(_ work: ScriptedWork) -> TimeoutEffect<ScriptedWork, TestClock> {
      work.timingOut(after: .seconds(3), clock: work.clock, action: { _ in "!" })
    }
    Timeline(
      asks: "a-----b---",
      begins: "a-----b---",
      sends: "--a-----B-"
    ).check(ScriptedWork(failing: [2], takes: 2)) { timeout($0) }
    Timeline(
      asks: "a-----b-.-",
      begins: "a-----b---",
      sends: "---!------"
    ).check(ScriptedWork(takes: 4)) { timeout($0) }
    // A value that is handed over has no time of its own, and is what is given up; one that comes when time was up begins
    // anew.
    Timeline(
      asks: "a--b--c--",
      begins: "a--b--c--",
      sends: "a--bB-c--"
    ).check(ScriptedFeed()) {
      $0.timingOut(after: .seconds(4), clock: $0.clock, action: { Character($0.uppercased()) })
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of runs that take too long and fail thereby")
  func failure() {
    func timeout(_ work: ScriptedWork) -> TimeoutEffect<ScriptedWork, TestClock> {
      work.timingOut(after: .seconds(3), clock: work.clock, failure: { _ in ScriptedWork.Failed() })
    }
    Timeline(
      asks: "a-----b---",
      begins: "a-----b---",
      sends: "--a-----b-"
    ).check(ScriptedWork(takes: 2)) { timeout($0) }
    Timeline(
      asks: "a-----b-.-",
      begins: "a-----b---",
      sends: "---A------"
    ).check(ScriptedWork(takes: 4)) { timeout($0) }
    // Each attempt has its time, and one that takes too long is tried again.
    Timeline(
      asks: "a---------",
      begins: "a---a-----",
      sends: "---2---A--"
    ).check(ScriptedWork(takes: 4)) {
      timeout($0).retried(times: 1, by: Backoff(first: .seconds(1), jitter: 0), clock: $0.clock) { _, _ in "2"
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a failure by timeout comes when the run has returned, and nothing of the run after it")
  func stubborn() {
    let (work, clock, executor) = (WorkEffect(isStubborn: true), TestClock(), ManualExecutor())
    let sent = Recorder<WorkEffect.Action>()
    let effect = work.timingOut(after: .seconds(5), clock: clock, failure: { _ in WorkEffect.Failed() })
    let stage = Stage(effect, on: executor) { _, action in sent.append(action) }
    stage.ask(for: [1])
    clock.advance(by: .seconds(5))
    executor.drain()
    #expect(sent.values.isEmpty)
    work.gate.open()
    executor.drain()
    #expect(work.ended.values == [1])
    #expect(sent.values == [.failed(1)])
  }
}
