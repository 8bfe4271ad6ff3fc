import MillraceTesting
import Testing

@testable import MillraceSystem

@Suite struct ProgressPacingTests {
  private var pacing = ProgressPacing(interval: .seconds(2))

  private func at(_ seconds: Int) -> Duration { .seconds(seconds) }

  @Test("the first is drawn at once, and those that come too soon wait together")
  mutating func together() {
    #expect(pacing.changed(isLast: false, now: at(0)) == .draw)
    #expect(pacing.changed(isLast: false, now: at(1)) == .wait(until: at(2)))
    #expect(pacing.changed(isLast: false, now: at(1)) == nil)
    #expect(pacing.waited(now: at(2)) == .draw)
    #expect(pacing.changed(isLast: false, now: at(3)) == .wait(until: at(4)))
  }

  @Test("what comes after the interval is drawn at once")
  mutating func late() {
    #expect(pacing.changed(isLast: false, now: at(0)) == .draw)
    #expect(pacing.changed(isLast: false, now: at(2)) == .draw)
  }

  @Test("the last one does not wait")
  mutating func last() {
    #expect(pacing.changed(isLast: false, now: at(0)) == .draw)
    #expect(pacing.changed(isLast: true, now: at(1)) == .draw)
  }
}
