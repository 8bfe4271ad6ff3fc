import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct PolledEffectTests {
  @Test("timelines of polled requests")
  func timelines() {
    // The interval counts from the end of a run to the beginning of the next.
    ScriptedWork(takes: 1).plays("a-----------", begins: "a---a---a", sends: "-a---a---a") {
      $0.polled(every: .seconds(3), clock: $0.clock)
    }

    // It counts from beginning to beginning, and from the first of them, however long runs take.
    ScriptedWork(takes: 1).plays("a-----------", begins: "a--a--a--a", sends: "-a--a--a--a") {
      $0.polled(every: .seconds(3), mode: .fixedRate, clock: $0.clock)
    }
    ScriptedWork(takes: 4).plays("a-----------------", begins: "a-----a-----a", sends: "----a-----a-----a") {
      $0.polled(every: .seconds(3), mode: .fixedRate, clock: $0.clock)
    }

    // Each request has its own interval.
    ScriptedWork().plays("a[ab]--------", begins: "aba-aba-ab") {
      $0.polled(every: { $0 == "a" ? .seconds(2) : .seconds(4) }, clock: $0.clock)
    }

    // A request that leaves is not served again; another begins at once.
    ScriptedWork().plays("a---b----.---", begins: "a--ab--b") {
      $0.polled(every: .seconds(3), clock: $0.clock)
    }
  }

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

  @Test("timelines of polled requests that fail")
  func failing() {
    // A failure is told, and the next run comes in its time.
    ScriptedWork(failing: [2, 3]).plays("a---------", begins: "a--a--a--a", sends: "a--A--A--a") {
      $0.polled(every: .seconds(3), clock: $0.clock)
    }
    // With a backoff it comes later: three seconds after one failure, six after two, then as ever.
    ScriptedWork(failing: [2, 3]).plays(
      "a---------------", begins: "a-a--a-----a-a-a", sends: "a-A--A-----a-a-a"
    ) {
      $0.polled(every: .seconds(2), backingOff: Backoff(first: .seconds(3), jitter: 0), clock: $0.clock)
    }
    ScriptedWork(failing: [2, 3]).plays(
      "a---------------", begins: "a-a---a-----a-a", sends: "a-A---A-----a-a"
    ) {
      $0.polled(
        every: .seconds(2), mode: .fixedRate, backingOff: Backoff(first: .seconds(3), jitter: 0),
        clock: $0.clock)
    }
  }

  @Test("timelines of polled runs to which values are handed over")
  func handedOver() {
    // What comes between two runs is what the next begins with, and what comes later reaches it.
    ScriptedFeed(failing: [1]).plays("ab---c---z-d---", begins: "a--b-c---z--d", sends: "A--b-c---z--d") {
      $0.polled(every: .seconds(3), clock: $0.clock)
    }
  }

  @Test(
    "a value that is handed over is polled at its own interval",
    arguments: [PollMode.fixedDelay, .fixedRate])
  func intervalHandedOver(mode: PollMode) {
    // What comes during a wait is served when that is over; each run here fails, and so ends.
    ScriptedFeed(failing: Set(1...20)).plays(
      "a----b-----------a------", begins: "a-a-a-b----b----b----a-a", sends: "A-A-A-B----B----B----A-A"
    ) {
      $0.polled(every: { .seconds($0 == "a" ? 2 : 5) }, mode: mode, clock: $0.clock)
    }
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
