import Millrace
import MillraceTesting
import Testing

@testable import MillraceEffects

@Suite struct SettlingTests {
  private func settling<C: Clock<Duration>>(_ clock: C) -> Settling<String, C> {
    Settling(
      burst: DebounceBurst(isLeading: false, longest: nil),
      quiet: { .seconds($0 == "long" ? 40 : 4) }, clock: clock)
  }

  @Test("only a value that nothing newer has followed for the quiet time is passed on")
  func settles() async throws {
    let clock = ObservedClock()
    let passed = Recorder<String>()
    let values = RequestUpdates("a")
    let forwarding = Task {
      await settling(clock).forward(values) { passed.append($0) }
    }
    // The time is asked for whenever a value arrives.
    try await clock.questions.values(atLeast: 1)
    try await clock.base.sleepers(atLeast: 1)
    clock.base.advance(by: .seconds(3))
    values.offer("b")
    try await clock.questions.values(atLeast: 2)
    clock.base.advance(by: .seconds(1))
    #expect(try await clock.base.sleepers(atLeast: 1).map(\.deadline) == [.start + .seconds(7)])
    #expect(passed.values.isEmpty)
    clock.base.advance(by: .seconds(3))
    #expect(try await passed.values(atLeast: 1) == ["b"])
    values.offer("c")
    values.finish()
    try await clock.base.sleepers(atLeast: 1)
    clock.base.advance(by: .seconds(4))
    await forwarding.value
    #expect(passed.values == ["b", "c"])
  }

  @Test("each value has the quiet time that it asks for")
  func lengths() async throws {
    let clock = TestClock()
    let passed = Recorder<String>()
    let values = RequestUpdates("long")
    values.finish()
    let forwarding = Task { await settling(clock).forward(values) { passed.append($0) } }
    #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [.start + .seconds(40)])
    clock.advance(by: .seconds(40))
    await forwarding.value
    #expect(passed.values == ["long"])
  }

  @Test("cancelling ends it, and what waits is not passed on")
  func cancelled() async throws {
    let clock = TestClock()
    let passed = Recorder<String>()
    let forwarding = Task {
      await settling(clock).forward(RequestUpdates("a")) { passed.append($0) }
    }
    try await clock.sleepers(atLeast: 1)
    forwarding.cancel()
    await forwarding.value
    #expect(passed.values.isEmpty)
  }
}
