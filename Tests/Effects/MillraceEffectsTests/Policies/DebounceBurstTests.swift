import MillraceTesting
import Testing

@testable import MillraceEffects

@Suite struct DebounceBurstTests {
  @Test("durations that make no sense count as the nearest that do")
  func nonsense() {
    var burst = DebounceBurst<TestInstant>(isLeading: false, longest: .seconds(-1))
    #expect(burst.requestArrived(at: .start, quiet: .seconds(-1)) == .start)
    let never = Duration.seconds(Int64.max)
    burst = DebounceBurst(isLeading: false, longest: never)
    #expect(burst.requestArrived(at: .start, quiet: never) == .start + TimerLimits.longestWait)
  }

  @Test("the longest wait is counted anew once a request has begun, and once a burst is over")
  func longest() {
    var burst = DebounceBurst<TestInstant>(isLeading: false, longest: .seconds(3))
    func begin(at time: Duration) -> Duration {
      burst.requestArrived(at: .start + time, quiet: .seconds(2)).sinceStart
    }
    #expect(begin(at: .zero) == .seconds(2))
    #expect(begin(at: .seconds(1)) == .seconds(3))
    #expect(begin(at: .milliseconds(2_900)) == .seconds(3))
    #expect(begin(at: .seconds(4)) == .seconds(4))
    burst.requestBegan()
    #expect(begin(at: .seconds(5)) == .seconds(7))
    #expect(begin(at: .seconds(7)) == .seconds(9))
  }

  @Test("whether a request is the first of a burst depends on the quiet time of the one before")
  func lengths() {
    var burst = DebounceBurst<TestInstant>(isLeading: true, longest: nil)
    func begin(at second: Int, quiet: Int) -> Duration {
      burst.requestArrived(at: .start + .seconds(second), quiet: .seconds(quiet)).sinceStart
    }
    #expect(begin(at: 0, quiet: 5) == .zero)
    #expect(burst.rest(at: .start + .seconds(4)) == .seconds(1))
    #expect(begin(at: 4, quiet: 1) == .seconds(5))
    #expect(burst.rest(at: .start + .seconds(5)) == nil)
    #expect(begin(at: 5, quiet: 9) == .seconds(5))
  }
}
