import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct TimeoutEffectTests {
  private let clock = TestClock()
  private let sent = Recorder<WorkEffect.Action>()

  @Test("timelines of runs that take too long, told by an action")
  func action() {
    func timeout(_ work: ScriptedWork) -> TimeoutEffect<ScriptedWork, TestClock> {
      work.timingOut(after: .seconds(3), clock: work.clock, action: { _ in "!" })
    }
    ScriptedWork(failing: [2], takes: 2).plays("a-----b---", begins: "a-----b", sends: "--a-----B") {
      timeout($0)
    }
    ScriptedWork(takes: 4).plays("a-----b-.-", begins: "a-----b", sends: "---!") { timeout($0) }
    // The request says how long its run may take.
    ScriptedWork(takes: 4).plays("a-----b----", begins: "a-----b", sends: "--!-------b") {
      $0.timingOut(after: { .seconds($0 == "a" ? 2 : 5) }, clock: $0.clock, action: { _ in "!" })
    }
    // A value that is handed over has no time of its own, and is what is given up; one that comes when time was up begins
    // anew.
    ScriptedFeed().plays("a--b--c--", begins: "a--b--c", sends: "a--bB-c") {
      $0.timingOut(after: .seconds(4), clock: $0.clock, action: { Character($0.uppercased()) })
    }
  }

  @Test("timelines of runs that take too long and fail thereby")
  func failure() {
    func timeout(_ work: ScriptedWork) -> TimeoutEffect<ScriptedWork, TestClock> {
      work.timingOut(after: .seconds(3), clock: work.clock, failure: { _ in ScriptedWork.Failed() })
    }
    ScriptedWork(takes: 2).plays("a-----b---", begins: "a-----b", sends: "--a-----b") { timeout($0) }
    ScriptedWork(takes: 4).plays("a-----b-.-", begins: "a-----b", sends: "---A") { timeout($0) }
    // Each attempt has its time, and one that takes too long is tried again.
    ScriptedWork(takes: 4).plays("a---------", begins: "a---a", sends: "---2---A") {
      timeout($0).retried(times: 1, by: Backoff(first: .seconds(1), jitter: 0), clock: $0.clock) { _, _ in "2"
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a failure by timeout comes when the run has returned, and nothing of the run after it")
  func stubbornFailure() {
    let (work, executor) = (WorkEffect(isStubborn: true), ManualExecutor())
    let effect = work.timingOut(after: .seconds(5), clock: clock, failure: { _ in WorkEffect.Failed() })
    let stage = Stage(effect, on: executor) { [sent] _, action in sent.append(action) }
    stage.ask(for: [1])
    clock.advance(by: .seconds(5))
    executor.drain()
    #expect(sent.values.isEmpty)
    work.gate.open()
    executor.drain()
    #expect(work.ended.values == [1])
    #expect(sent.values == [.failed(1)])
  }

  @Test(
    "a run that heeds no cancellation is told as timed out at once, and what it sends or fails with then is fenced",
    arguments: [1, -1])
  func stubborn(number: Int) async throws {
    let work = WorkEffect(isStubborn: true)
    let effect = work.timingOut(after: .seconds(5), clock: clock) { .timedOut($0) }
    let run = Task { [sent] in try await effect.run(number, send: .recording(into: sent)) }
    try await work.begun.values(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(try await sent.values(atLeast: 1) == [.timedOut(number)])
    #expect(work.ended.values.isEmpty)
    work.gate.open()
    try await run.value
    #expect(sent.values == [.timedOut(number)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("what a run has under way when time is up is reduced before the action, never after")
  func underWay() {
    let (work, reducing, executor) = (WorkEffect(), Gate(), ManualExecutor())
    let (began, reduced) = (Recorder<WorkEffect.Action>(), Recorder<WorkEffect.Action>())
    let effect = work.timingOut(after: .seconds(5), clock: clock) { .timedOut($0) }
    let send = Send<WorkEffect.Action> { action in
      began.append(action)
      if case .done = action { await reducing.waitIgnoringCancellation() }
      reduced.append(action)
      return .reduced
    }
    Task.detached(executorPreference: executor) { try await effect.run(1, send: send) }
    executor.drain()
    work.gate.open()
    executor.drain()
    #expect(reducing.waiterCount == 1)
    clock.advance(by: .seconds(5))
    executor.drain()
    #expect(began.values == [.done(1)])
    reducing.open()
    executor.drain()
    #expect(reduced.values == [.done(1), .timedOut(1)])
  }
}
