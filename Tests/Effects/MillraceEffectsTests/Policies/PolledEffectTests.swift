import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct PolledEffectTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of polled requests")
  func timelines() {
    // The interval counts from the end of a run to the beginning of the next.
    Timeline(
      asks: "a-----------",
      begins: "a---a---a---",
      sends: "-a---a---a--"
    ).check(ScriptedWork(takes: 1)) { $0.polled(every: .seconds(3), clock: $0.clock) }

    // It counts from beginning to beginning, and from the first of them, however long runs take.
    Timeline(
      asks: "a-----------",
      begins: "a--a--a--a--",
      sends: "-a--a--a--a-"
    ).check(ScriptedWork(takes: 1)) { $0.polled(every: .seconds(3), mode: .fixedRate, clock: $0.clock) }
    Timeline(
      asks: "a-----------------",
      begins: "a-----a-----a-----",
      sends: "----a-----a-----a-"
    ).check(ScriptedWork(takes: 4)) { $0.polled(every: .seconds(3), mode: .fixedRate, clock: $0.clock) }

    // Each request has its own interval.
    Timeline(
      asks: "a[ab]--------",
      begins: "aba-aba-ab",
      sends: "aba-aba-ab"
    ).check(ScriptedWork()) { $0.polled(every: { $0 == "a" ? .seconds(2) : .seconds(4) }, clock: $0.clock) }

    // A request that leaves is not served again; another begins at once.
    Timeline(
      asks: "a---b----.---",
      begins: "a--ab--b-----",
      sends: "a--ab--b-----"
    ).check(ScriptedWork()) { $0.polled(every: .seconds(3), clock: $0.clock) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("requests that begin together have jitter of their own, without a seed; with one they have the same")
  func jitter() async throws {
    func dues(seed: UInt64?) async throws -> Set<TestInstant> {
      let work = ScriptedWork()
      let effect = work.polled(every: .seconds(10), jitter: 0.5, seed: seed, clock: work.clock)
      let runs = "abcdefgh".map { letter in
        Task { try await effect.run(letter, send: .recording(into: Recorder<Character>())) }
      }
      let dues = Set(try await work.clock.sleepers(atLeast: 8).map(\.deadline))
      for run in runs { run.cancel() }
      for run in runs { _ = await run.result }
      return dues
    }
    #expect(try await dues(seed: nil).count == 8)
    #expect(try await dues(seed: 1).count == 1)
    #expect(try await dues(seed: 1) == dues(seed: 1))
    #expect(try await dues(seed: 1) != dues(seed: 2))
  }

  @Test(
    "what a round sends after it has returned is fenced, whether it went well or failed", arguments: [0, 9])
  func fenced(failures: Int) async throws {
    let (clock, leaking) = (TestClock(), LeakingEffect(failures: failures))
    let run = Task {
      try await leaking.polled(every: .seconds(1), clock: clock).run(7, send: .recording(into: Recorder()))
    }
    for _ in 0..<2 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
    }
    try await clock.sleepers(atLeast: 1)
    #expect(leaking.late.values == [.fenced, .fenced])
    run.cancel()
    _ = await run.result
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of polled requests that fail")
  func failing() {
    // A failure is told, and the next run comes in its time.
    Timeline(
      asks: "a---------",
      begins: "a--a--a--a",
      sends: "a--A--A--a"
    ).check(ScriptedWork(failing: [2, 3])) { $0.polled(every: .seconds(3), clock: $0.clock) }
    // With a backoff it comes later: three seconds after one failure, six after two, then as ever.
    Timeline(
      asks: "a---------------",
      begins: "a-a--a-----a-a-a",
      sends: "a-A--A-----a-a-a"
    ).check(ScriptedWork(failing: [2, 3])) {
      $0.polled(every: .seconds(2), backingOff: Backoff(first: .seconds(3), jitter: 0), clock: $0.clock)
    }
    Timeline(
      asks: "a---------------",
      begins: "a-a---a-----a-a-",
      sends: "a-A---A-----a-a-"
    ).check(ScriptedWork(failing: [2, 3])) {
      $0.polled(
        every: .seconds(2), mode: .fixedRate, backingOff: Backoff(first: .seconds(3), jitter: 0),
        clock: $0.clock)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of polled runs to which values are handed over")
  func handedOver() {
    // What comes between two runs is what the next begins with, and what comes later reaches it.
    Timeline(
      asks: "ab---c---z-d---",
      begins: "a--b-c---z--d--",
      sends: "A--b-c---z--d--"
    ).check(ScriptedFeed(failing: [1])) { $0.polled(every: .seconds(3), clock: $0.clock) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(
    "a value that is handed over is polled at its own interval",
    arguments: [PollMode.fixedDelay, .fixedRate])
  func intervalHandedOver(mode: PollMode) {
    // What comes during a wait is served when that is over; each run here fails, and so ends.
    Timeline(
      asks: "a----b-----------a------",
      begins: "a-a-a-b----b----b----a-a",
      sends: "A-A-A-B----B----B----A-A"
    ).check(ScriptedFeed(failing: Set(1...20))) {
      $0.polled(every: { .seconds($0 == "a" ? 2 : 5) }, mode: mode, clock: $0.clock)
    }
  }

  @Test("an error that is thrown because the run was stopped is not told")
  func stopped() async throws {
    let (gate, reported) = (Gate(), Recorder<Int>())
    let effect = WaitingEffect(gate: gate).polled(every: .seconds(3), clock: TestClock())
    let run = Task { try await effect.run(1, send: .recording(into: reported)) }
    try await gate.waiters(atLeast: 1)
    run.cancel()
    try await run.value
    #expect(reported.values.isEmpty)
  }

  @Test("polling ends when the state takes no more")
  func unwanted() async throws {
    let work = ScriptedWork(failing: [1])
    let effect = work.polled(every: .seconds(3), clock: ImmediateClock())
    let sent = Recorder<Character>()
    let polling = Task {
      try await effect.run(
        "a",
        send: Send { letter in
          sent.append(letter)
          if sent.count > 1 { withUnsafeCurrentTask { $0?.cancel() } }
          return .refused
        })
    }
    try await polling.value
    #expect(work.begun.count == 1)
  }
}
