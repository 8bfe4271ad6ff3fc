import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct TimeoutEffectTests {
  private let clock = TestClock()
  private let sent = Recorder<WorkEffect.Action>()

  private func start(_ work: WorkEffect, _ number: Int = 1) -> Task<Void, any Error> {
    let effect = work.timingOut(after: .seconds(5), clock: clock) { .timedOut($0) }
    return Task { [sent] in try await effect.run(number, send: .recording(into: sent)) }
  }

  @Test("a run that returns in time is left alone, and leaves no one asleep")
  func inTime() async throws {
    let work = WorkEffect()
    let run = start(work)
    try await clock.sleepers(atLeast: 1)
    work.gate.open()
    try await run.value
    #expect(sent.values == [.done(1)])
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a run that takes too long is cancelled, and the action is sent in its place")
  func tooLong() async throws {
    let work = WorkEffect()
    let run = start(work)
    try await work.begun.values(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    try await run.value
    #expect(sent.values == [.timedOut(1)])
    #expect(work.ended.values == [1])
  }

  @Test("the request says how long its run may take")
  func byRequest() async throws {
    let work = WorkEffect()
    let effect = work.timingOut(after: { .seconds($0) }, clock: clock, action: { .timedOut($0) })
    let run = Task { [sent] in try await effect.run(7, send: .recording(into: sent)) }
    try await work.begun.values(atLeast: 1)
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now.advanced(by: .seconds(7))])
    clock.advance(by: .seconds(7))
    try await run.value
    #expect(sent.values == [.timedOut(7)])
  }

  @Test("a run that heeds no cancellation is told as timed out at once, and what it sends then is fenced")
  func stubborn() async throws {
    let work = WorkEffect(isStubborn: true)
    let run = start(work)
    try await work.begun.values(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(try await sent.values(atLeast: 1) == [.timedOut(1)])
    #expect(work.ended.values.isEmpty)
    work.gate.open()
    try await run.value
    #expect(sent.values == [.timedOut(1)])
  }

  @Test("the failure of a run that returned in time stays; of one that did not, it does not count")
  func failures() async throws {
    let work = WorkEffect(isStubborn: true)
    let late = start(work, -1)
    try await work.begun.values(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    try await sent.values(atLeast: 1)
    work.gate.open()
    try await late.value
    await #expect(throws: WorkEffect.Failed()) { try await start(work, -2).value }
    #expect(sent.values == [.timedOut(-1)])
  }

  @Test("stopping the run from outside stops its body, and nothing is sent")
  func stopped() async throws {
    let work = WorkEffect()
    let run = start(work)
    try await work.begun.values(atLeast: 1)
    run.cancel()
    try await run.value
    #expect(sent.values.isEmpty)
    #expect(clock.sleepers.isEmpty)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("what a run has under way when time is up is reduced before the action, never after")
  func underWay() {
    let work = WorkEffect()
    let reducing = Gate()
    let (began, reduced) = (Recorder<WorkEffect.Action>(), Recorder<WorkEffect.Action>())
    let effect = work.timingOut(after: .seconds(5), clock: clock) { .timedOut($0) }
    let send = Send<WorkEffect.Action> { action in
      began.append(action)
      if case .done = action { await reducing.waitIgnoringCancellation() }
      reduced.append(action)
      return .reduced
    }
    let executor = ManualExecutor()
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
