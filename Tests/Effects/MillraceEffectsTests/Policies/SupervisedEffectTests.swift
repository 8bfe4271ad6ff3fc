import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct SupervisedEffectTests {
  private func supervised<Base: Scripted>(
    _ base: Base, restarts: Int = 2, within seconds: Int = 6
  ) -> SupervisedEffect<Base, TestClock> {
    base.supervised(
      restarts: restarts, within: .seconds(seconds), by: Backoff(first: .seconds(1), factor: 1, jitter: 0),
      clock: base.clock, restarting: { restart, _ in Character("\(restart.attempt)") })
  }

  @Test("timelines of restarts")
  func timelines() {
    // Two restarts within six seconds; the third failure is one too many.
    ScriptedWork(failing: [1, 2, 3], takes: 1).plays("a----------", begins: "a-a-a", sends: "-2-3-A") {
      supervised($0)
    }

    // No restart at all is a failure, and a window of nothing forgets each restart at once.
    ScriptedWork(failing: [1], takes: 1).plays("a---", begins: "a", sends: "-A") {
      supervised($0, restarts: -1)
    }
    ScriptedWork(failing: [1, 2, 3], takes: 1).plays("a--------", begins: "a-a-a-a", sends: "-2-2-2-a") {
      supervised($0, restarts: 1, within: 0)
    }
    // A restart counts no more just when the window is over.
    ScriptedWork(failing: [1, 2, 3], takes: 2).plays(
      "a-----------", begins: "a--a--a--a", sends: "--2--2--2--a"
    ) {
      supervised($0, restarts: 1, within: 3)
    }

    // Failures that are far apart may go on for ever.
    ScriptedWork(failing: [1, 2, 3], takes: 4).plays(
      "a-----------------", begins: "a----a----a----a", sends: "----2----2----2"
    ) { supervised($0, restarts: 1, within: 5) }

    // A request that has left the state does not begin again, and one that comes back counts anew.
    ScriptedWork(failing: [1, 2, 3], takes: 1).plays("a.--a-------", begins: "a---a-a-a", sends: "-2---2-3-a")
    { supervised($0) }
  }

  @Test("supervision nests: a supervisor sees one failure for each time that the one within has given up")
  func nested() async throws {
    let (work, sent) = (ScriptedWork(failing: Set(1...100)), Recorder<Character>())
    let backoff = Backoff(first: .zero, jitter: 0)
    let effect =
      work
      .supervised(restarts: 2, within: .seconds(10), by: backoff, clock: work.clock) { _, _ in "i" }
      .supervised(restarts: 1, within: .seconds(60), by: backoff, clock: work.clock) { _, _ in "o" }
    await #expect(throws: ScriptedWork.Failed()) {
      try await effect.run("a", send: .recording(into: sent))
    }
    #expect(String(sent.values) == "iioii")
    #expect(work.begun.count == 6)
  }

  @Test("a run that gives up sends an action, and does not fail")
  func givingUp() async throws {
    let (work, sent) = (ScriptedWork(failing: Set(1...100)), Recorder<Character>())
    let effect = work.supervised(
      restarts: 1, within: .seconds(10), by: Backoff(first: .zero, jitter: 0), clock: work.clock,
      restarting: { _, _ in "r" }, givingUp: { _, letter in Character(letter.uppercased()) })
    try await effect.run("a", send: .recording(into: sent))
    #expect(String(sent.values) == "rA")
  }

  @Test("what is not worth a restart fails at once")
  func notRestarted() async throws {
    let work = ScriptedWork(failing: [1])
    let effect = work.supervised(
      restarts: 9, within: .seconds(10), clock: work.clock, when: { _, letter in letter != "a" },
      restarting: { _, _ in "r" })
    await #expect(throws: ScriptedWork.Failed()) {
      try await effect.run("a", send: .recording(into: Recorder()))
    }
    #expect(work.begun.values == ["a"])
  }
}
