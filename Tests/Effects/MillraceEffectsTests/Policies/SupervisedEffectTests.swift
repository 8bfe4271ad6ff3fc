import Millrace
import MillraceTesting
import Testing

@testable import MillraceEffects

@Suite struct SupervisedEffectTests {
  private func supervised<Base: Scripted>(
    _ base: Base, restarts: Int = 2, within seconds: Int = 6
  ) -> SupervisedEffect<Base, TestClock> {
    base.supervised(
      restarts: restarts, within: .seconds(seconds), by: Backoff(first: .seconds(1), factor: 1, jitter: 0),
      clock: base.clock, restarting: { restart, _ in Character("\(restart.attempt)") })
  }

  @Test("restarts count for as long as the window says")
  func intensity() {
    func numbers(of seconds: [Int], most: Int, within window: Int) -> [Int?] {
      var intensity = RestartIntensity<ElapsedTime>(most: most, within: .seconds(window))
      return seconds.map { intensity.failed(at: ElapsedTime(time: .seconds($0))) }
    }
    #expect(numbers(of: [0, 4, 9, 10, 13, 30], most: 2, within: 10) == [1, 2, nil, 2, nil, 1])
    #expect(numbers(of: [0], most: -1, within: 10) == [nil])
    #expect(numbers(of: [0, 0, 1], most: 1, within: 0) == [1, 1, 1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of restarts")
  func timelines() {
    // Two restarts within six seconds; the third failure is one too many.
    Timeline(
      asks: "a----------",
      begins: "a-a-a------",
      sends: "-2-3-A-----"
    ).check(ScriptedWork(failing: [1, 2, 3], takes: 1)) { supervised($0) }

    // Failures that are far apart may go on for ever.
    Timeline(
      asks: "a-----------------",
      begins: "a----a----a----a--",
      sends: "----2----2----2---"
    ).check(ScriptedWork(failing: [1, 2, 3], takes: 4)) { supervised($0, restarts: 1, within: 5) }

    // A request that has left the state does not begin again, and one that comes back counts anew.
    Timeline(
      asks: "a.--a-------",
      begins: "a---a-a-a---",
      sends: "-2---2-3-a--"
    ).check(ScriptedWork(failing: [1, 2, 3], takes: 1)) { supervised($0) }
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

  @Test("an error that is thrown because the run was stopped is no reason to begin again")
  func stopped() async throws {
    let (gate, reported) = (Gate(), Recorder<Int>())
    let effect = WaitingEffect(gate: gate).supervised(restarts: 9, within: .seconds(10)) { _, number in number
    }
    let run = Task { try await effect.run(1, send: .recording(into: reported)) }
    try await gate.waiters(atLeast: 1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(reported.values.isEmpty)
  }
}
