import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

private typealias Timer = TimerRequest<String>
private typealias Event = TimerEvent<String>

@Suite struct TimerEffectTests {
  private let clock = TestClock()
  private let sent = Recorder<Event>()
  private var effect: TimerEffect<String> { TimerEffect(clock: clock) }

  private func run(_ timer: Timer, answering delivery: Delivery = .reduced) -> Task<Void, Never> {
    Task { [effect, sent] in await effect.run(timer, send: .recording(into: sent, answering: delivery)) }
  }

  @Test("a timer that fires once does so when its time has come, and its run ends")
  func once() async throws {
    let run = run(Timer("egg", .after(.seconds(3))))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    #expect(sent.values.isEmpty)
    clock.advance(by: .seconds(1))
    await run.value
    #expect(sent.values == [.fired("egg", TimerTick(count: 1, due: .seconds(3)))])
  }

  @Test("activity says that a timer waits for its next tick")
  func waits() async throws {
    let store = Store(initialState: Set([Timer("egg", .after(.seconds(3)))])) {
      (_: inout Set<Timer>, _: Event) in
    }
    store.connect(effect)
    try await clock.sleepers(atLeast: 1)
    // Whoever waits for a sleeper may be told before the run is marked as waiting.
    try await eventually {
      let waits = store.activity.entries.flatMap(\.work).flatMap(\.waitsFor)
      return waits.count == 1 && waits[0].hasPrefix("the next tick (a test clock")
    }
  }

  @Test("a repeating timer fires at each multiple of its interval until it is stopped")
  func repeating() async throws {
    let run = run(Timer("tick", .every(.seconds(2))))
    try await clock.advance(by: .seconds(7)) { try await clock.sleepers(atLeast: 1) }
    run.cancel()
    await run.value
    #expect(
      sent.values == (1...3).map { .fired("tick", TimerTick(count: $0, due: .seconds(2 * $0))) })
  }

  @Test("ticks missed in one leap are told by one, and the next comes at its old place")
  func coalesced() async throws {
    let run = run(Timer("tick", .every(.seconds(2))))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(7))
    try await sent.values(atLeast: 1)
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [.start + .seconds(8)])
    run.cancel()
    await run.value
    #expect(sent.values == [.fired("tick", TimerTick(count: 3, due: .seconds(6), missed: 2))])
  }

  @Test("ticks missed in one leap are told one by one if the timer is to catch up")
  func caughtUp() async throws {
    let run = run(Timer("tick", .every(.seconds(2), missed: .catchUp)))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(7))
    let reported = try await sent.values(atLeast: 3)
    try await clock.sleepers(atLeast: 1)
    run.cancel()
    await run.value
    #expect(reported == (1...3).map { .fired("tick", TimerTick(count: $0, due: .seconds(2 * $0))) })
    #expect(sent.count == 3)
  }

  @Test(
    "a schedule that cannot be kept is refused with the reason, and nothing waits or spins",
    arguments: [
      (.every(.zero), .intervalIsZero), (.every(.seconds(-1)), .negative(.seconds(-1))),
      (.every(.nanoseconds(1)), .tooShort(.nanoseconds(1))),
      (.every(.seconds(Int64.max)), .tooLong(.seconds(Int64.max))),
      (.after(.seconds(-1)), .negative(.seconds(-1))),
      (.after(.seconds(Int64.max)), .tooLong(.seconds(Int64.max))),
    ] as [(TimerSchedule, TimerRefusal)])
  func refused(schedule: TimerSchedule, reason: TimerRefusal) async {
    await run(Timer("spin", schedule)).value
    await run(Timer("egg", .after(.seconds(1)), tolerance: .seconds(-1))).value
    #expect(sent.values == [.refused("spin", reason), .refused("egg", .negativeTolerance(.seconds(-1)))])
    #expect(clock.sleepers.isEmpty)
  }

  @Test("the shortest interval and the longest wait are accepted")
  func limits() async throws {
    let schedules: [TimerSchedule] = [.every(TimerLimits.shortestInterval), .after(TimerLimits.longestWait)]
    let runs = schedules.map { run(Timer("egg", $0)) }
    let dues = Set(try await clock.sleepers(atLeast: 2).map(\.deadline))
    #expect(dues == [.start + .milliseconds(1), .start + TimerLimits.longestWait])
    for run in runs { run.cancel() }
  }

  @Test("a timer hands its tolerance to the clock, and sends nothing once it is stopped")
  func stopped() async throws {
    let run = run(Timer("lazy", .after(.seconds(3)), tolerance: .seconds(1)))
    #expect(try await clock.sleepers(atLeast: 1).map(\.tolerance) == [.seconds(1)])
    run.cancel()
    await run.value
    #expect(sent.values.isEmpty)
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a repeating timer ends when the store takes no more", arguments: [Delivery.fenced, .refused])
  func unwanted(delivery: Delivery) async throws {
    let run = run(Timer("tick", .every(.seconds(1))), answering: delivery)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await run.value
    #expect(sent.count == 1)
  }

  @Test("a clock that fails is told, and the timer does not spin")
  func brokenClock() async {
    let sent = Recorder<TimerEvent<Int>>()
    await TimerEffect<Int>(clock: BrokenClock())
      .run(.init(1, .every(.seconds(1))), send: .recording(into: sent))
    #expect(sent.values == [.refused(1, .clockFailed("Broken()"))])
  }

  @Test("a timer whose request changes starts over, and one that leaves the state is stopped")
  func inAStore() async throws {
    let store = Store<Set<Timer>, TimerChange>(initialState: [], on: .immediate) { timers, change in
      if case .set(let new) = change { timers = new }
    }
    let reported = Recorder<Event>()
    let actions = store.actions()
    let watching = Task {
      for await (action, _) in actions { if case .event(let event) = action { reported.append(event) } }
    }
    store.connect(effect, to: \.self, action: TimerChange.event)
    store.dispatch(.set([Timer("a", .after(.seconds(3))), Timer("b", .after(.seconds(9)))]))
    try await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(2))
    store.dispatch(.set([Timer("a", .after(.seconds(4)))]))
    try await eventually { clock.sleepers.map(\.deadline) == [.start + .seconds(6)] }
    clock.advance(by: .seconds(4))
    await store.settled()
    #expect(try await reported.values(atLeast: 1) == [.fired("a", TimerTick(count: 1, due: .seconds(4)))])
    _ = await store.shutdown()
    await watching.value
    #expect(reported.count == 1)
  }
}

private enum TimerChange: Sendable {
  case set(Set<Timer>)
  case event(Event)
}

private struct Broken: Error {}

private struct BrokenClock: Clock {
  var now: TestInstant { .start }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: TestInstant, tolerance: Duration?) async throws { throw Broken() }
}
