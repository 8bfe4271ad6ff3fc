import MillraceTesting
import Testing

@testable import MillraceEffects

@Suite struct DebounceBurstTests {
  @Test("durations that make no sense count as the nearest that do")
  func nonsense() {
    var burst = DebounceBurst<TestInstant>(quiet: .seconds(-1), isLeading: false, longest: .seconds(-1))
    #expect(burst.requestArrived(at: .start) == .start)
    let never = Duration.seconds(Int64.max)
    burst = DebounceBurst(quiet: never, isLeading: false, longest: never)
    #expect(burst.requestArrived(at: .start) == .start + TimerLimits.longestWait)
  }

  @Test("the longest wait is counted anew once a request has begun, and once a burst is over")
  func longest() {
    var burst = DebounceBurst<TestInstant>(quiet: .seconds(2), isLeading: false, longest: .seconds(3))
    #expect(burst.requestArrived(at: .start) == .start + .seconds(2))
    #expect(burst.requestArrived(at: .start + .seconds(1)) == .start + .seconds(3))
    #expect(burst.requestArrived(at: .start + .milliseconds(2_900)) == .start + .seconds(3))
    #expect(burst.requestArrived(at: .start + .seconds(4)) == .start + .seconds(4))
    burst.requestBegan()
    #expect(burst.requestArrived(at: .start + .seconds(5)) == .start + .seconds(7))
    #expect(burst.requestArrived(at: .start + .seconds(7)) == .start + .seconds(9))
  }
}
