import Testing

@testable import Millrace

@Suite("DrainSchedule")
struct DrainScheduleTests {
  private final class Driver {
    private var schedule = DrainSchedule()
    func mailArrived() -> DrainSchedule.Step { schedule.mailArrived() }
    func arrived(_ drain: UInt64, isRescue: Bool = false) -> Bool {
      schedule.drainArrived(drain, isRescue: isRescue)
    }
    func callerArrived() -> Bool { schedule.callerArrived() }
    func ended() { schedule.drainEnded() }
    func handedOn() -> DrainSchedule.Step { schedule.drainHandedOn() }
    func look() -> DrainSchedule.Step { schedule.lookArrived() }
    func releaseBegan() -> (number: UInt64, looksLater: Bool) { schedule.releaseBegan() }
    func releaseEnded(_ release: UInt64) -> Bool { schedule.releaseEnded(release) }
  }

  private let schedule = Driver()

  @Test("one drain is begun, however much arrives before it ends") func one() throws {
    let step = schedule.mailArrived()
    #expect(step.drain == 1 && !step.isRescue && step.looksLater)
    #expect(schedule.mailArrived().drain == nil)
    #expect(schedule.arrived(1))
    #expect(schedule.mailArrived().drain == nil)
    schedule.ended()
    let next = schedule.mailArrived()
    #expect(next.drain == 2 && !next.looksLater)
  }

  @Test("a thread that needs its result at once drains in place of the one that is on its way") func caller()
  {
    _ = schedule.mailArrived()
    #expect(schedule.callerArrived())
    #expect(!schedule.callerArrived())
    #expect(!schedule.arrived(1))
    schedule.ended()
    #expect(schedule.mailArrived().drain == 2)
  }

  @Test(
    "a drain that is pending at two looks is rescued, and what follows, until the usual queue gets through")
  func rescue() {
    _ = schedule.mailArrived()
    #expect(schedule.look().drain == nil)
    let rescue = schedule.look()
    #expect(rescue.drain == 1 && rescue.isRescue && rescue.looksLater)
    #expect(schedule.arrived(1, isRescue: true))
    schedule.ended()
    #expect(schedule.mailArrived().isRescue)
    #expect(schedule.arrived(2, isRescue: true))
    // The usual queue gets through, too late for its drain.
    #expect(!schedule.arrived(1))
    schedule.ended()
    #expect(!schedule.mailArrived().isRescue)
  }

  @Test("a release that is under way at two looks has another drain in its place") func release() {
    _ = schedule.mailArrived()
    #expect(schedule.arrived(1))
    while schedule.look().looksLater {}
    let release = schedule.releaseBegan()
    #expect(release.looksLater)
    #expect(schedule.mailArrived().drain == nil)
    #expect(schedule.look().drain == nil)
    let rescue = schedule.look()
    #expect(rescue.drain == release.number && rescue.isRescue)
    #expect(schedule.arrived(release.number, isRescue: true))
    #expect(!schedule.releaseEnded(release.number))
    // The other drain has a release of its own, which the late end of the first one does not end.
    let own = schedule.releaseBegan()
    #expect(!schedule.releaseEnded(release.number))
    #expect(schedule.releaseEnded(own.number))
    schedule.ended()
    // The usual queue was not to blame.
    #expect(!schedule.mailArrived().isRescue)
  }

  @Test("a drain goes on after a release, and two releases are not one") func releases() {
    _ = schedule.mailArrived()
    #expect(schedule.arrived(1))
    let first = schedule.releaseBegan()
    #expect(!first.looksLater)
    #expect(schedule.look().drain == nil)
    #expect(schedule.releaseEnded(first.number))
    let second = schedule.releaseBegan()
    #expect(schedule.look().drain == nil)
    #expect(schedule.callerArrived())
    #expect(!schedule.releaseEnded(second.number))
  }

  @Test("two looks that find different drains pending rescue none") func busy() {
    _ = schedule.mailArrived()
    _ = schedule.look()
    #expect(schedule.arrived(1))
    #expect(schedule.handedOn().drain == 2)
    #expect(schedule.look().drain == nil)
    #expect(schedule.arrived(2))
  }

  @Test("a store is looked at as long as it is used, then no more until it is used again") func idle() {
    for drain in UInt64(1)...2 {
      #expect(schedule.mailArrived().looksLater)
      _ = schedule.arrived(2 * drain - 1)
      schedule.ended()
      #expect(schedule.look() == DrainSchedule.Step(looksLater: true))
      // The sender finds a look on its way.
      #expect(!schedule.mailArrived().looksLater)
      _ = schedule.arrived(2 * drain)
      schedule.ended()
      #expect(schedule.look().looksLater)
      #expect(schedule.look() == DrainSchedule.Step())
    }
  }

  @Test("a drain that takes long is looked at no more until it has ended") func long() {
    _ = schedule.mailArrived()
    _ = schedule.arrived(1)
    #expect(schedule.look().looksLater)
    #expect(schedule.look() == DrainSchedule.Step())
    schedule.ended()
    #expect(schedule.mailArrived().looksLater)
  }
}
