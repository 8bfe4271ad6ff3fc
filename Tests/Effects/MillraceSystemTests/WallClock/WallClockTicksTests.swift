import Testing

@testable import MillraceSystem

@Suite("Wall clock ticks") struct WallClockTicksTests {
  /// Fires at every multiple of a hundred.
  private func ticks(now: Int) -> WallClockTicks {
    WallClockTicks(now: now, next: { ($0 / 100 + 1) * 100 })
  }

  private typealias Tick = WallClockTicks.Tick

  @Test("a wall clock timer fires when the clock has come to a time, and not before")
  func plain() {
    var ticks = ticks(now: 130)
    #expect(ticks.due == 200)
    #expect(ticks.clockLookedAt(199) == nil)
    #expect(ticks.clockLookedAt(200) == Tick(due: 200, missed: 0))
    #expect(ticks.clockLookedAt(200) == nil)
    #expect(ticks.clockLookedAt(305) == Tick(due: 300, missed: 0))
    #expect(ticks.due == 400)
  }

  @Test("put forward, it fires once for all that were passed")
  func forward() {
    var ticks = ticks(now: 130)
    #expect(ticks.clockLookedAt(555) == Tick(due: 500, missed: 3))
    #expect(ticks.due == 600)
    #expect(ticks.clockLookedAt(800) == Tick(due: 800, missed: 2))
    #expect(ticks.clockLookedAt(10_000_000)?.missed == WallClockTicks.mostMissed)
    #expect(ticks.due == 10_000_100)
  }

  @Test("put back over the tick that was told last, it does not fire for it again")
  func backOverTold() {
    var ticks = ticks(now: 130)
    #expect(ticks.clockLookedAt(201) == Tick(due: 200, missed: 0))
    #expect(ticks.clockLookedAt(150) == nil)
    #expect(ticks.due == 300)
    #expect(ticks.clockLookedAt(200) == nil)
    #expect(ticks.clockLookedAt(300) == Tick(due: 300, missed: 0))
  }

  @Test("put back further, it fires at the times that it comes to")
  func farBack() {
    var ticks = ticks(now: 130)
    #expect(ticks.clockLookedAt(9_901) == Tick(due: 9_900, missed: 97))
    #expect(ticks.clockLookedAt(150) == nil)
    #expect(ticks.clockLookedAt(200) == Tick(due: 200, missed: 0))
    #expect(ticks.due == 300)
  }

  @Test("put back before it has ever fired, it fires at the next time that the clock comes to")
  func backAtFirst() {
    var ticks = ticks(now: 530)
    #expect(ticks.clockLookedAt(130) == nil)
    #expect(ticks.due == 200)
  }

  @Test("once is once, at once if the date has passed, whatever the clock does")
  func once() {
    var past = WallClockTicks(once: 100, now: 130)
    #expect(past.clockLookedAt(130) == Tick(due: 100, missed: 0))
    #expect(past.due == nil)
    var ticks = WallClockTicks(once: 200, now: 130)
    #expect(ticks.clockLookedAt(20) == nil)
    #expect(ticks.due == 200)
    #expect(ticks.clockLookedAt(999) == Tick(due: 200, missed: 0))
    #expect(ticks.clockLookedAt(20) == nil)
    #expect(ticks.due == nil)
  }
}
