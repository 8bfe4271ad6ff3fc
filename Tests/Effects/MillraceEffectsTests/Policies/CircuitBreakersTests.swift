import Millrace
import MillraceTesting
import Testing

@testable import MillraceEffects

@Suite struct CircuitBreakersTests {
  private static func breakers<Key: Hashable & Sendable>(
    of type: Key.Type, _ clock: TestClock
  ) -> CircuitBreakers<Key> {
    CircuitBreakers { _ in CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(5), clock: clock) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a breaker of one key refuses nothing of another, and is shared by those of its own")
  func timelines() {
    // Letters up to f are of one key, those after of another.
    Timeline(asks: "axbxc-x--d", begins: "axbx--x--d", sends: "AxBx!-x--d").check(
      ScriptedWork(failing: [1, 3])
    ) { work in
      work.guarded(
        by: Self.breakers(of: Bool.self, work.clock), per: { $0 < "g" }, action: { _, _ in "!" })
    }
    Timeline(asks: "abc--", begins: "ab---", sends: "ABC--").check(ScriptedWork(failing: [1, 2])) { work in
      work.guarded(
        by: Self.breakers(of: Int.self, work.clock), per: { _ in 1 },
        failure: { _, _ in ScriptedWork.Failed() })
    }
  }

  @Test("keys that went well leave nothing, those that failed and those in use stay")
  func forgets() throws {
    let breakers = Self.breakers(of: Int.self, TestClock())
    let pass = try breakers[-1].requestArrived().get()
    breakers[-1].ended(pass, .failed)
    let held = breakers[-2]
    for key in 0..<10_000 {
      let breaker = breakers[key]
      breaker.ended(try breaker.requestArrived().get(), .well)
    }
    #expect(breakers.count <= 128)
    breakers[-1].ended(try breakers[-1].requestArrived().get(), .failed)
    #expect(breakers[-1].state == .open)
    #expect(breakers[-2] === held)
    #expect(breakers[3] === breakers[3])
  }

  @Test("a breaker that counts by time is forgotten once its failures count no more")
  func forgetsLate() throws {
    let clock = TestClock()
    let breakers = CircuitBreakers { (_: Int) in
      CircuitBreaker(
        failureRate: 0.5, within: .seconds(60), minimum: 9, resetTimeout: .seconds(5), clock: clock)
    }
    func fail(_ keys: Range<Int>) throws {
      for key in keys { breakers[key].ended(try breakers[key].requestArrived().get(), .failed) }
    }
    try fail(0..<500)
    #expect(breakers.count == 500)
    clock.advance(by: .seconds(60))
    try fail(500..<1_100)
    #expect(breakers.count < 700)
  }
}
