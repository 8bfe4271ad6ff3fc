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

  @Test("timelines of attempts")
  func timelines() {
    // One second after the first failure, three after the second.
    ScriptedWork(failing: [1, 2], takes: 1).plays("a----------", begins: "a-a---a", sends: "-2-3---a") {
      retried($0)
    }

    // The failure of the last attempt is that of the run.
    ScriptedWork(failing: [1, 2, 3], takes: 1).plays("a----------", begins: "a-a---a", sends: "-2-3---A") {
      retried($0)
    }

    // No retry is one attempt.
    for retries in [0, -1] {
      ScriptedWork(failing: [1], takes: 1).plays("a---", begins: "a", sends: "-A") {
        retried($0, times: retries)
      }
    }

    // The caller says which failures are worth it.
    ScriptedWork(failing: [1, 2]).plays("a-----b---", begins: "a-----bb", sends: "A-----2b") {
      retried($0, when: { $0 == "b" })
    }

    // The request says how often and after which delay, and the attempt whether once more.
    ScriptedWork(failing: [1, 2, 3, 4]).plays(
      "a----------b-----c----", begins: "a-a--------b-----cc", sends: "2-A--------B-----2c"
    ) { work in
      work.retried(
        times: { $0 == "b" ? 0 : 9 }, by: { Backoff(first: .seconds($0 == "a" ? 2 : 1), jitter: 0) },
        clock: work.clock,
        when: { retry, letter in letter == "c" ? retry.delay <= .seconds(1) : retry.attempt < 3 },
        action: { retry, _ in Character("\(retry.attempt)") })
    }

    // A request that has left the state is not tried again, and one that comes back begins anew.
    ScriptedWork(failing: [1, 2]).plays("a--.-a----", begins: "aa---a", sends: "23---a") { retried($0) }
  }

  @Test("timelines of attempts to which values are handed over")
  func handedOver() {
    // What comes between two attempts is what the next begins with, and what comes later reaches it.
    ScriptedFeed(failing: [1]).plays("ab-c-z-d-", begins: "a-bc-z-d", sends: "2-bc-z-d") {
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
}
