import Millrace
import MillraceTesting
import Testing

@testable import MillraceEffects

@Suite struct SettlingTests {
  private func burst() -> DebounceBurst<TestInstant> {
    DebounceBurst(quiet: .seconds(4), isLeading: false, longest: nil)
  }

  @Test("only a value that nothing newer has followed for the quiet time is passed on")
  func settles() async throws {
    let clock = ObservedClock()
    let passed = Recorder<String>()
    let values = RequestUpdates("a")
    let forwarding = Task {
      await Settling(burst: burst(), clock: clock).forward(values) { passed.append($0) }
    }
    // The time is asked for whenever a value arrives.
    try await clock.questions.values(count: 1)
    try await clock.base.sleepers(atLeast: 1)
    clock.base.advance(by: .seconds(3))
    values.offer("b")
    try await clock.questions.values(count: 2)
    clock.base.advance(by: .seconds(1))
    #expect(try await clock.base.sleepers(atLeast: 1).map(\.deadline) == [.start + .seconds(7)])
    #expect(passed.values.isEmpty)
    clock.base.advance(by: .seconds(3))
    #expect(try await passed.values(count: 1) == ["b"])
    values.offer("c")
    values.finish()
    try await clock.base.sleepers(atLeast: 1)
    clock.base.advance(by: .seconds(4))
    await forwarding.value
    #expect(passed.values == ["b", "c"])
  }

  @Test("cancelling ends it, and what waits is not passed on")
  func cancelled() async throws {
    let clock = TestClock()
    let passed = Recorder<String>()
    let forwarding = Task {
      await Settling(burst: burst(), clock: clock).forward(RequestUpdates("a")) { passed.append($0) }
    }
    try await clock.sleepers(atLeast: 1)
    forwarding.cancel()
    await forwarding.value
    #expect(passed.values.isEmpty)
  }
}
