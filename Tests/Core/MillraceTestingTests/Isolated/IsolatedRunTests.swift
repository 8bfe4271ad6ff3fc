import Millrace
import MillraceTesting
import TestSupport
import Testing

private enum Ticked: Equatable, Sendable {
  case at(Int)
  case heard(String)
}

private struct Broken: Error, Equatable {}

/// Ticks as often as it is asked to, and then fails if it is to.
private struct Ticks: EffectComponent {
  struct Request: Hashable, Sendable {
    var count: Int
    var fails = false
  }

  let clock: any Clock<Duration>
  func requests(in request: Request) -> Set<Request> { [request] }
  func run(_ request: Request, send: Send<Ticked>) async throws(Broken) {
    for tick in 0..<request.count {
      guard (try? await clock.sleep(for: .seconds(1))) != nil else { break }
      await send(.at(tick))
    }
    await send(.at(-1))
    if request.fails { throw Broken() }
  }
  func action(for failure: Broken, of request: Request) -> Ticked { .at(0) }
}

/// Repeats the words that are handed over to it.
private struct Echo: HandoverEffectComponent {
  typealias Action = Ticked
  func id(of word: String) -> Character? { word.first }
  func requests(in words: Set<String>) -> Set<String> { words }
  func run(following words: RequestUpdates<String>, send: Send<Ticked>) async {
    for await word in words {
      await send(.heard(word))
      if word.hasSuffix(".") { return }
    }
  }
}

@Suite("Isolated runs") struct IsolatedRunTests {
  private typealias Outcome = RunOutcome<Ticked, Broken>

  @Test("a run that ends by itself has an outcome")
  func outcome() async {
    let effect = Ticks(clock: ImmediateClock())
    #expect(await effect.outcome(of: .init(count: 1)) == Outcome(sent: [.at(0), .at(-1)]))
    let failed = await effect.outcome(of: .init(count: 0, fails: true))
    #expect(failed == Outcome(sent: [.at(-1)], end: .failed(Broken())))
    #expect(failed.failure == Broken())
  }

  @Test("a run waits at a test clock until it is advanced")
  func onAClock() async {
    let clock = TestClock()
    let run = Ticks(clock: clock).begin(.init(count: 2, fails: true))
    await run.settle()
    #expect(run.outcome == Outcome(end: .waiting))
    for tick in 0..<2 {
      clock.advance(by: .seconds(1))
      await run.settle()
      #expect(run.sent.prefix(2).last == .at(tick))
    }
    #expect(run.outcome == Outcome(sent: [.at(0), .at(1), .at(-1)], end: .failed(Broken())))
    #expect(run.hasEnded && run.failure == Broken())
  }

  @Test("what a stopped run sends does not count, and its error is no failure")
  func cancelled() async {
    let clock = TestClock()
    let run = Ticks(clock: clock).begin(.init(count: 2, fails: true))
    await run.settle()
    clock.advance(by: .seconds(1))
    await run.settle()
    #expect(!run.hasEnded)
    run.cancel()
    await run.settle()
    #expect(run.outcome == Outcome(sent: [.at(0)], end: .stopped))
    #expect(run.hasEnded && clock.sleepers.isEmpty)
  }

  @Test("the outcome of a run that waits says so, and the run is stopped")
  func outcomeOfAWaitingRun() async throws {
    let clock = TestClock()
    #expect(await Ticks(clock: clock).outcome(of: .init(count: 1)) == Outcome(end: .waiting))
    try await eventually { clock.sleepers.isEmpty }
  }

  @Test("a changed request restarts the run, or begins another")
  func restarted() async {
    let clock = TestClock()
    let run = Ticks(clock: clock).begin(.init(count: 1))
    await run.settle()
    run.change(to: .init(count: 0))
    await run.settle()
    #expect(run.outcome == Outcome(sent: [.at(-1)]))
    #expect(clock.sleepers.isEmpty)
  }

  @Test("values are handed over to a run that takes them")
  func handedOver() async {
    let run = Echo().begin("hello")
    await run.settle()
    #expect(run.outcome == RunOutcome(sent: [.heard("hello")], end: .waiting))
    run.change(to: "hi.")
    await run.settle()
    #expect(run.outcome == RunOutcome(sent: [.heard("hello"), .heard("hi.")]))
  }

  @Test("an outcome has a line for each action, and one for the end")
  func printed() {
    let ends: [Outcome.End] = [.returned, .failed(Broken()), .waiting, .stopped, .running]
    #expect(
      ends.map { Outcome(sent: [.at(1)], end: $0).description } == [
        "sent .at(1)\nreturned", "sent .at(1)\nfailed with Broken()", "sent .at(1)\nwaits",
        "sent .at(1)\nstopped", "sent .at(1)\nruns",
      ])
  }
}
