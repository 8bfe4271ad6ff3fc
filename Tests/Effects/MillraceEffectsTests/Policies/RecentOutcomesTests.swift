import TestSupport
import Testing

@testable import MillraceEffects

@Suite struct RecentOutcomesTests {
  @Test("what counts is what counting the outcomes of the last while again would give")
  func model() {
    var random = SeededGenerator(seed: 3)
    for _ in 1...200 {
      // In steps of a 64th of the while or more, nothing is counted together with anything else.
      let span = Duration.seconds(64)
      var recent = RecentOutcomes(span: span)
      var (now, all): (Duration, [(time: Duration, failed: Bool)]) = (.zero, [])
      for _ in 1...50 {
        now += .milliseconds(Int.random(in: 1_000...40_000, using: &random))
        let failed = Bool.random(using: &random)
        recent.ended(failed: failed, at: now)
        all.append((now, failed))
        let last = all.filter { now - $0.time < span }
        #expect(recent.count == last.count && recent.failures == last.count(where: \.failed))
      }
    }
  }

  @Test("runs that end closely together are counted from the first of them on")
  func together() {
    var recent = RecentOutcomes(span: .seconds(64))
    for _ in 1...100_000 { recent.ended(failed: true, at: .milliseconds(999)) }
    recent.ended(failed: true, at: .milliseconds(1_998))
    recent.ended(failed: false, at: .milliseconds(1_999))
    #expect(recent.count == 100_002 && recent.failures == 100_001)
    recent.forget(at: .milliseconds(64_998))
    #expect(recent.count == 100_002)
    recent.forget(at: .milliseconds(64_999))
    #expect(recent.count == 1 && recent.failures == 0)
    recent.forget(at: .milliseconds(65_999))
    #expect(recent == RecentOutcomes(span: .seconds(64)))
  }

  @Test("two that are equal after time has passed count the same")
  func elapse() {
    var (one, other) = (RecentOutcomes(span: .seconds(10)), RecentOutcomes(span: .seconds(10)))
    one.ended(failed: true, at: .seconds(3))
    one.elapse(.seconds(5))
    other.ended(failed: true, at: .seconds(-2))
    #expect(one == other && one.hashValue == other.hashValue)
    one.elapse(.seconds(8))
    #expect(one == RecentOutcomes(span: .seconds(10)))
  }

  @Test("a while of nothing counts the last run alone", arguments: [Duration.zero, .seconds(-1)])
  func nothing(span: Duration) {
    var recent = RecentOutcomes(span: span)
    for _ in 1...3 { recent.ended(failed: true, at: .zero) }
    #expect(recent.count == 1)
  }
}
