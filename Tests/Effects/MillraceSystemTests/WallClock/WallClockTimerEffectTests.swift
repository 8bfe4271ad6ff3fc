import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

@Suite("Wall clock timers") struct WallClockTimerEffectTests {
  private typealias Event = WallClockTimerEvent<String>

  private let clock = TestClock()
  private let sent = Recorder<Event>()
  /// By how many seconds the wall clock was set.
  private let set = Lock(0.0)

  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  /// A wall clock that begins at a date and goes as the test clock does, unless it is set.
  private func effect(from text: String) throws -> WallClockTimerEffect<String> {
    let start = try date(text)
    return WallClockTimerEffect(
      wallClock: { [clock, set] in
        start + TimeInterval(clock.now.sinceStart.components.seconds) + set.withLock { $0 }
      }, clock: clock)
  }

  private func run(
    _ schedule: WallClockSchedule, from text: String
  ) throws -> Task<Void, Never> {
    let effect = try effect(from: text)
    return Task { [sent] in
      await effect.run(WallClockTimerRequest("a", schedule), send: .recording(into: sent))
    }
  }

  /// Lets time pass until there are so many events. The last one of a timer may be sent with nothing asleep.
  private func pass(until count: Int) async throws {
    while sent.count < count {
      try await eventually { sent.count >= count || !clock.sleepers.isEmpty }
      let due = clock.sleepers.first?.deadline
      if sent.count < count, let due, due > clock.now { clock.advance(to: due) }
      await Task.yield()
    }
  }

  @Test("activity says that a timer waits for the time of its next tick")
  func waits() async throws {
    let timers = Set([WallClockTimerRequest("a", .daily(at: .init(6), timeZone: "Europe/Berlin"))])
    let store = Store(initialState: timers) { (_: inout Set<WallClockTimerRequest<String>>, _: Event) in }
    store.connect(try effect(from: "2026-03-27T20:00:00Z"))
    try await clock.sleepers(atLeast: 1)
    // Whoever waits for a sleeper may be told before the run is marked as waiting.
    try await eventually {
      let waits = store.activity.entries.flatMap(\.work).flatMap(\.waitsFor)
      return waits.count == 1 && waits[0].hasPrefix("the time of the next tick (a test clock")
    }
  }

  @Test("a daily timer fires at its time, also over the day on which clocks are put forward")
  func daily() async throws {
    let run = try run(.daily(at: .init(6), timeZone: "Europe/Berlin"), from: "2026-03-27T20:00:00Z")
    try await pass(until: 2)
    run.cancel()
    await run.value
    #expect(
      try sent.values == [
        .fired("a", WallClockTick(due: date("2026-03-28T05:00:00Z"))),
        .fired("a", WallClockTick(due: date("2026-03-29T04:00:00Z"))),
      ])
    #expect(clock.now.sinceStart == .seconds(32 * 3_600))
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a clock that is put forward over a tick is seen within a minute")
  func forward() async throws {
    let run = try run(.daily(at: .init(6), timeZone: "UTC"), from: "2026-03-27T00:00:00Z")
    try await clock.sleepers(atLeast: 1)
    set.withLock { $0 = 3 * 86_400 + 7 * 3_600 }
    try await pass(until: 1)
    #expect(clock.now.sinceStart == .seconds(60))
    #expect(try sent.values == [.fired("a", WallClockTick(due: date("2026-03-30T06:00:00Z"), missed: 3))])
    run.cancel()
    await run.value
  }

  @Test("a clock that is put back over a tick does not make it fire again")
  func back() async throws {
    let run = try run(.daily(at: .init(6), timeZone: "UTC"), from: "2026-03-27T05:00:00Z")
    try await pass(until: 1)
    try await clock.sleepers(atLeast: 1)
    set.withLock { $0 = -1_800 }
    try await pass(until: 2)
    run.cancel()
    await run.value
    #expect(
      try sent.values == [
        .fired("a", WallClockTick(due: date("2026-03-27T06:00:00Z"))),
        .fired("a", WallClockTick(due: date("2026-03-28T06:00:00Z"))),
      ])
  }

  @Test("once fires once, at once if the date has passed, and the run ends")
  func once() async throws {
    let passed = try date("2020-01-01T00:00:00Z")
    try await run(.once(at: passed), from: "2026-03-27T00:00:00Z").value
    // To the second, and never early.
    let run = try run(.once(at: date("2026-03-27T00:01:29Z") + 0.5), from: "2026-03-27T00:00:00Z")
    try await pass(until: 2)
    await run.value
    #expect(
      try sent.values == [
        .fired("a", WallClockTick(due: passed)),
        .fired("a", WallClockTick(due: date("2026-03-27T00:01:30Z"))),
      ])
    #expect(clock.now.sinceStart == .seconds(90))
  }

  @Test("what cannot be kept is refused with the reason")
  func refused() async throws {
    let time = WallClockSchedule.TimeOfDay(24)
    let far = Date(timeIntervalSince1970: .infinity)
    let cases: [(WallClockSchedule, WallClockRefusal)] = [
      (.daily(at: time), .noSuchTime(time)),
      (.daily(at: .init(6, 60)), .noSuchTime(.init(6, 60))),
      (.daily(at: .init(6, 0, -1)), .noSuchTime(.init(6, 0, -1))),
      (.daily(at: .init(6), timeZone: "Mars/Olympus"), .unknownTimeZone("Mars/Olympus")),
      (.weekly(on: [], at: .init(6), timeZone: nil), .noWeekday),
      (.once(at: far), .dateOutOfRange(far)),
    ]
    for (schedule, refusal) in cases {
      let reported = Recorder<Event>()
      try await effect(from: "2026-03-27T00:00:00Z").run(
        WallClockTimerRequest("a", schedule), send: .recording(into: reported))
      #expect(reported.values == [.refused("a", refusal)])
    }
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a clock that fails is told, and a store that takes no more ends the run")
  func ends() async throws {
    struct BrokenClock: Clock {
      struct Broken: Error {}
      var now: TestInstant { .start }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: TestInstant, tolerance: Duration?) async throws { throw Broken() }
    }
    await WallClockTimerEffect(clock: BrokenClock()).run(
      WallClockTimerRequest("a", .daily(at: .init(6))), send: .recording(into: sent))
    #expect(sent.values == [.refused("a", .clockFailed("Broken()"))])
    let fenced = Recorder<Event>()
    try await effect(from: "2026-03-27T00:00:00Z").run(
      WallClockTimerRequest("a", .once(at: date("2020-01-01T00:00:00Z"))),
      send: .recording(into: fenced, answering: .fenced))
    #expect(fenced.count == 1)
  }
}
