import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct HedgedEffectTests {
  @Test("timelines of hedged requests")
  func timelines() {
    // One that answers in time is alone.
    ScriptedWork(takes: 2).plays("a-----", begins: "a", sends: "--a") {
      $0.hedged(after: .seconds(3), clock: $0.clock)
    }
    // Two at most, however long they take; and as many as are asked for.
    ScriptedWork(takes: 6).plays("a--------", begins: "a-a", sends: "------a") {
      $0.hedged(after: .seconds(2), clock: $0.clock)
    }
    ScriptedWork(takes: 6).plays("a--------", begins: "a-a-a", sends: "------a") {
      $0.hedged(after: .seconds(2), atMost: 3, clock: $0.clock)
    }
    ScriptedWork(takes: 6).plays("a--------", begins: "a", sends: "------a") {
      $0.hedged(after: .seconds(2), atMost: -1, clock: $0.clock)
    }
    ScriptedWork(takes: 6).plays("a--------b--------", begins: "a-a------b", sends: "------a--------b") {
      $0.hedged(
        after: { $0 == "a" ? .seconds(2) : .seconds(1) }, atMost: { $0 == "a" ? 1 : 0 }, clock: $0.clock)
    }
    // A request that leaves stops them all, and another one begins anew.
    ScriptedWork(takes: 6).plays("a---b-------", begins: "a-a-b-b", sends: "----------b") {
      $0.hedged(after: .seconds(2), clock: $0.clock)
    }
  }

  @Test("timelines of hedged requests that fail")
  func failing() {
    // A failure is followed by the next attempt at once, and its wait counts from then on.
    ScriptedWork(failing: [1], takes: 5).plays("a----------", begins: "a----a", sends: "----------a") {
      $0.hedged(after: .seconds(6), atMost: 2, clock: $0.clock)
    }
  }

  @Test("the failure of a hedged request is that of the last attempt, once all have failed")
  func allFail() {
    ScriptedWork(failing: [1, 2, 3], takes: 3).plays("a----------", begins: "a-a-a", sends: "-------A") {
      $0.hedged(after: .seconds(2), atMost: 2, clock: $0.clock)
    }
    // One in progress may still have the answer.
    ScriptedWork(failing: [1], takes: 3).plays("a----------", begins: "a-a", sends: "-----a") {
      $0.hedged(after: .seconds(2), clock: $0.clock)
    }
  }

  /// An effect whose attempts send and end when the test says so.
  private struct Attempts: EffectComponent {
    enum Step: Sendable {
      case send(String)
      case end
    }

    let clock = TestClock()
    let begun = Recorder<AsyncStream<Step>.Continuation>()
    let numbers = IncrementingIDs<Int>(from: 1)
    let ended = Recorder<Int>()

    func requests(in requests: Set<Int>) -> Set<Int> { requests }

    func run(_ request: Int, send: Send<String>) async {
      let (steps, continuation) = AsyncStream.makeStream(of: Step.self)
      begun.append(continuation)
      let number = numbers.next()
      // Deaf to its cancellation, as a library may be.
      await Task {
        for await step in steps { if case .send(let text) = step { await send(text) } else { break } }
      }
      .value
      ended.append(number)
    }
  }

  @Test("the first attempt that sends has the answer, all of it, and the run returns when the others have")
  func answer() async throws {
    let attempts = Attempts()
    let sent = Recorder<String>()
    let effect = attempts.hedged(after: .seconds(1), clock: attempts.clock)
    let run = Task { await effect.run(1, send: .recording(into: sent)) }
    try await attempts.clock.sleepers(atLeast: 1)
    attempts.clock.advance(by: .seconds(1))
    let begun = try await attempts.begun.values(atLeast: 2)
    begun[1].yield(.send("second"))
    #expect(try await sent.values(atLeast: 1) == ["second"])
    begun[0].yield(.send("first"))
    begun[0].yield(.end)
    _ = try await attempts.ended.values(atLeast: 1)
    begun[1].yield(.send("more"))
    begun[1].yield(.end)
    await run.value
    #expect(sent.values == ["second", "more"])
    #expect(Set(attempts.ended.values) == [1, 2])
    #expect(attempts.clock.sleepers.isEmpty)
  }

  /// Of two attempts, the first waits until it is stopped, and the second sends and goes on.
  private struct SecondAnswers: EffectComponent {
    let clock = TestClock()
    let begun = Recorder<Int>()
    let stopped = Recorder<Int>()
    let gate = Gate()

    func requests(in requests: Set<Int>) -> Set<Int> { requests }

    func run(_ request: Int, send: Send<String>) async {
      begun.append(request)
      if begun.count == 2 { await send("second") }
      do { try await gate.wait() } catch { stopped.append(request) }
    }
  }

  @Test("an attempt is stopped as soon as another one has the answer", .timeLimit(.minutes(10)))
  func stopped() async throws {
    let attempts = SecondAnswers()
    let effect = attempts.hedged(after: .seconds(1), clock: attempts.clock)
    let run = Task { await effect.run(1, send: .recording(into: Recorder<String>())) }
    try await attempts.clock.sleepers(atLeast: 1)
    attempts.clock.advance(by: .seconds(1))
    #expect(try await attempts.stopped.values(atLeast: 1) == [1])
    attempts.gate.open()
    await run.value
    #expect(attempts.stopped.count == 1)
  }

  @Test("a value that is handed over reaches each attempt in progress, and the newest a later one")
  func handedOver() {
    // The first attempt fails; the second one, which began with the same value, gets the next one too.
    ScriptedFeed(failing: [1], takes: 2).plays("a-b------", begins: "aa-b", sends: "---a-b") {
      $0.hedged(after: .seconds(1), clock: $0.clock)
    }
    ScriptedFeed(takes: 3).plays("a-b------", begins: "aa-b", sends: "---a--b") {
      $0.hedged(after: .seconds(1), clock: $0.clock)
    }
    ScriptedFeed(failing: [1], takes: 2).plays("ab-------", begins: "a-b", sends: "----b") {
      $0.hedged(after: .seconds(9), clock: $0.clock)
    }
  }
}
