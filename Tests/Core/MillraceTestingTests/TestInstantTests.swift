import MillraceTesting
import Testing

@Suite struct TestInstantTests {
  @Test("advancing and measuring are inverse")
  func arithmetic() {
    let instant = TestInstant.start.advanced(by: .milliseconds(2500))
    #expect(TestInstant.start.duration(to: instant) == .milliseconds(2500))
    #expect(instant.duration(to: .start) == .milliseconds(-2500))
    #expect(instant - .milliseconds(2500) == .start)
    #expect(instant - .start == .milliseconds(2500))
    #expect(.start + .milliseconds(2500) == instant)
  }

  @Test("instants are ordered by their distance from the start")
  func order() {
    #expect(TestInstant.start < .start + .nanoseconds(1))
    #expect(!(TestInstant.start < .start))
  }

  @Test("an instant prints as the time since the start")
  func printing() {
    #expect("\(TestInstant(sinceStart: .milliseconds(2500)))" == "2.5 seconds")
  }
}
