import Testing

@testable import Millrace

@Suite("DrainSchedule")
struct DrainScheduleTests {
  private final class Driver {
    private var schedule = DrainSchedule()
    func mailArrived() -> DrainSchedule.Step { schedule.mailArrived() }
    func arrived(_ drain: UInt64, isRescue: Bool = false) -> Drain? {
      schedule.drainArrived(drain, isRescue: isRescue)
    }
    func callerArrived() -> Drain { schedule.callerArrived() }
    func ended() { schedule.drainEnded() }
    func look() -> DrainSchedule.Step { schedule.lookArrived() }
    func holdingEnded(_ drain: inout Drain, callsUser: Bool = false) -> DrainSchedule.Step {
      schedule.holdingEnded(&drain, callsUser: callsUser)
    }
    func resumed(_ drain: inout Drain) { schedule.resumed(&drain) }
  }

  private let schedule = Driver()

  @Test("one drain is begun, however much arrives before it ends") func one() throws {
    let step = schedule.mailArrived()
    #expect(step.drain == 1 && !step.isRescue && step.looksLater)
    #expect(schedule.mailArrived().drain == nil)
    let drain = try #require(schedule.arrived(1))
    #expect(drain.claim == 1 && !drain.isOver)
    #expect(schedule.mailArrived().drain == nil)
    schedule.ended()
    let next = schedule.mailArrived()
    #expect(next.drain == 2 && !next.looksLater)
  }

  @Test("a thread that needs its result at once drains in place of the one that is on its way") func caller()
  {
    _ = schedule.mailArrived()
    #expect(schedule.callerArrived().claim != nil)
    let other = schedule.callerArrived()
    #expect(other.claim == nil && !other.isOver)
    #expect(schedule.arrived(1) == nil)
    schedule.ended()
    #expect(schedule.mailArrived().drain != nil)
  }

  @Test("a drain is over when nothing waits, or when its result is there, or without its claim")
  func over() throws {
    _ = schedule.mailArrived()
    var drain = try #require(schedule.arrived(1))
    drain.end = .idle
    #expect(drain.isOver)
    drain.end = nil
    #expect(schedule.holdingEnded(&drain, callsUser: true).drain == 2)
    #expect(drain.isOver)
    var caller = schedule.callerArrived()
    #expect(schedule.holdingEnded(&caller, callsUser: true).drain != nil)
    #expect(caller.claim == nil && !caller.isOver)
    caller.end = .reached
    #expect(caller.isOver)
  }

  @Test("a caller that has its result leaves what waits to another drain") func reached() {
    var caller = schedule.callerArrived()
    caller.end = .reached
    let step = schedule.holdingEnded(&caller)
    #expect(step.drain != nil && caller.claim == nil)
  }

  @Test(
    "a drain that is pending at two looks is rescued, and what follows, until the usual queue gets through")
  func rescue() {
    _ = schedule.mailArrived()
    #expect(schedule.look().drain == nil)
    let rescue = schedule.look()
    #expect(rescue.drain == 1 && rescue.isRescue && rescue.looksLater)
    #expect(schedule.arrived(1, isRescue: true) != nil)
    schedule.ended()
    #expect(schedule.mailArrived().isRescue)
    #expect(schedule.arrived(2, isRescue: true) != nil)
    // The usual queue gets through, too late for its drain.
    #expect(schedule.arrived(1) == nil)
    schedule.ended()
    #expect(!schedule.mailArrived().isRescue)
  }

  @Test("decisions that are performed at two looks have another drain in their place")
  func performing() throws {
    _ = schedule.mailArrived()
    var drain = try #require(schedule.arrived(1))
    while schedule.look().looksLater {}
    #expect(schedule.holdingEnded(&drain) == DrainSchedule.Step(looksLater: true))
    #expect(schedule.mailArrived().drain == nil)
    #expect(schedule.look().drain == nil)
    let rescue = schedule.look()
    #expect(rescue.drain == drain.claim && rescue.isRescue)
    let number = try #require(rescue.drain)
    var other = try #require(schedule.arrived(number, isRescue: true))
    // The other drain performs decisions of its own, whose end the late end of the first one is not.
    _ = schedule.holdingEnded(&other)
    schedule.resumed(&drain)
    #expect(drain.claim == nil && drain.isOver)
    schedule.resumed(&other)
    #expect(other.claim != nil && !other.isOver)
    schedule.ended()
    // The usual queue was not to blame.
    #expect(!schedule.mailArrived().isRescue)
  }

  @Test("a drain goes on after its decisions, and two performances are not one") func performances() throws {
    _ = schedule.mailArrived()
    var drain = try #require(schedule.arrived(1))
    #expect(!schedule.holdingEnded(&drain).looksLater)
    #expect(schedule.look().drain == nil)
    schedule.resumed(&drain)
    #expect(drain.claim != nil)
    _ = schedule.holdingEnded(&drain)
    #expect(schedule.look().drain == nil)
    #expect(schedule.callerArrived().claim != nil)
    schedule.resumed(&drain)
    #expect(drain.claim == nil)
  }

  @Test("two looks that find different drains pending rescue none") func busy() throws {
    _ = schedule.mailArrived()
    _ = schedule.look()
    var drain = try #require(schedule.arrived(1))
    #expect(schedule.holdingEnded(&drain, callsUser: true).drain == 2)
    #expect(schedule.look().drain == nil)
    #expect(schedule.arrived(2) != nil)
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
