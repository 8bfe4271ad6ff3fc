import MillraceTesting
import Testing

@Test("instants are advanced, measured, ordered and printed by their distance from the start")
func arithmetic() {
  let instant = TestInstant.start.advanced(by: .milliseconds(2500))
  #expect(TestInstant.start.duration(to: instant) == .milliseconds(2500))
  #expect(instant.duration(to: .start) == .milliseconds(-2500))
  #expect(instant - .milliseconds(2500) == .start)
  #expect(instant - .start == .milliseconds(2500))
  #expect(.start + .milliseconds(2500) == instant)
  #expect(TestInstant.start < instant && !(TestInstant.start < .start))
  #expect("\(instant)" == "2.5 seconds")
}
