import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct RetriedEffectTests {
  private func retried<Base: Scripted>(
    _ base: Base, times retries: Int = 2,
    when isRetried: @escaping @Sendable (Character) -> Bool = { _ in true }
  ) -> RetriedEffect<Base, TestClock> {
    base.retried(
      times: retries, by: Backoff(first: .seconds(1), factor: 3, jitter: 0), clock: base.clock,
      when: { _, letter in isRetried(letter) }, action: { retry, _ in Character("\(retry.attempt)") })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of attempts")
  func timelines() {
    // One second after the first failure, three after the second.
    Timeline(
      asks: "a----------",
      begins: "a-a---a----",
      sends: "-2-3---a---"
    ).check(ScriptedWork(failing: [1, 2], takes: 1)) { retried($0) }

    // The failure of the last attempt is that of the run.
    Timeline(
      asks: "a----------",
      begins: "a-a---a----",
      sends: "-2-3---A---"
    ).check(ScriptedWork(failing: [1, 2, 3], takes: 1)) { retried($0) }

    // No retry is one attempt.
    for retries in [0, -1] {
      Timeline(
        asks: "a---",
        begins: "a---",
        sends: "-A--"
      ).check(ScriptedWork(failing: [1], takes: 1)) { retried($0, times: retries) }
    }

    // The caller says which failures are worth it.
    Timeline(
      asks: "a-----b---",
      begins: "a-----bb--",
      sends: "A-----2b--"
    ).check(ScriptedWork(failing: [1, 2])) { retried($0, when: { $0 == "b" }) }

    // The request says how often and after which delay, and the attempt whether once more.
    Timeline(
      asks: "a----------b-----c----",
      begins: "a-a--------b-----cc---",
      sends: "2-A--------B-----2c---"
    ).check(ScriptedWork(failing: [1, 2, 3, 4])) { work in
      work.retried(
        times: { $0 == "b" ? 0 : 9 }, by: { Backoff(first: .seconds($0 == "a" ? 2 : 1), jitter: 0) },
        clock: work.clock,
        when: { retry, letter in letter == "c" ? retry.delay <= .seconds(1) : retry.attempt < 3 },
        action: { retry, _ in Character("\(retry.attempt)") })
    }

    // A request that has left the state is not tried again, and one that comes back begins anew.
    Timeline(
      asks: "a--.-a----",
      begins: "aa---a----",
      sends: "23---a----"
    ).check(ScriptedWork(failing: [1, 2])) { retried($0) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of attempts to which values are handed over")
  func handedOver() {
    // What comes between two attempts is what the next begins with, and what comes later reaches it.
    Timeline(
      asks: "ab-c-z-d-",
      begins: "a-bc-z-d-",
      sends: "2-bc-z-d-"
    ).check(ScriptedFeed(failing: [1])) {
      $0.retried(times: 1, by: Backoff(first: .seconds(2), jitter: 0), clock: $0.clock) { _, _ in "2" }
    }
  }

  @Test("what an attempt sends after it has returned is fenced")
  func fenced() async throws {
    let sent = Recorder<Int>()
    let leaking = LeakingEffect()
    try await leaking.retried(
      times: 2, by: Backoff(first: .zero, jitter: 0), action: { retry, _ in -retry.attempt }
    )
    .run(7, send: .recording(into: sent))
    #expect(sent.values == [1, -2, 2, -3, 3])
    #expect(leaking.late.values == [.fenced, .fenced])
  }

  @Test("no further attempt begins when the state takes no more, and the failure is kept")
  func unwanted() async throws {
    let work = ScriptedWork(failing: [1])
    let effect = work.retried(times: 1, clock: ImmediateClock()) { _, _ in "2" }
    await #expect(throws: ScriptedWork.Failed()) {
      try await effect.run("a", send: .recording(into: Recorder(), answering: .fenced))
    }
    #expect(work.begun.values == ["a"])
  }

  @Test("an error that is thrown because the run was stopped is no reason to try again")
  func stopped() async throws {
    let (gate, reported) = (Gate(), Recorder<Int>())
    let effect = WaitingEffect(gate: gate).retried(times: 2, by: Backoff(first: .zero, jitter: 0)) {
      _, number in number
    }
    let run = Task { try await effect.run(1, send: .recording(into: reported)) }
    try await gate.waiters(atLeast: 1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(reported.values.isEmpty)
  }

  @Test("requests that fail together are not retried together, and the same seed gives the same delays")
  func spread() async throws {
    func delays(seed: UInt64) async throws -> [Duration] {
      let reported = Recorder<Duration>()
      let work = ScriptedWork(failing: Set(1...100))
      let effect = work.retried(
        times: 1, by: Backoff(first: .seconds(8), jitter: 0.5, seed: seed), clock: ImmediateClock()
      ) { retry, _ in
        reported.append(retry.delay)
        return "2"
      }
      for letter in "abcdefgh" { try? await effect.run(letter, send: .recording(into: Recorder())) }
      return reported.values
    }
    let first = try await delays(seed: 1)
    #expect(Set(first).count == 8)
    #expect(first.allSatisfy { $0 >= .seconds(4) && $0 <= .seconds(8) })
    #expect(try await delays(seed: 1) == first)
    #expect(try await delays(seed: 2) != first)
  }

  @Test("in a store, what a run sends, its attempts and its last failure come in order")
  func inAStore() async {
    let store = Store<[Int], Int>(initialState: [], on: .immediate) { numbers, number in
      numbers.append(number)
    }
    store.connect(
      LeakingEffect(failures: 2).retried(times: 1, by: Backoff(first: .zero, jitter: 0)) { retry, _ in
        -retry.attempt
      },
      to: \.isEmpty)
    await store.settled()
    #expect(store.state == [1, -2, 2, 99])
  }
}
