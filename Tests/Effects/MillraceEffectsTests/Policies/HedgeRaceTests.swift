import TestSupport
import Testing

@testable import MillraceEffects

@Suite struct HedgeRaceTests {
  private var race = HedgeRace(attempts: 3)

  @Test("an attempt begins beside the newest one alone, and no more than there are to be")
  mutating func begins() {
    #expect(race.requestArrived() == 1)
    #expect(race.waited(after: 1) == 2)
    #expect(race.waited(after: 1) == nil)
    #expect(race.waited(after: 2) == 3)
    #expect(race.waited(after: 3) == nil)
  }

  @Test("the first that sends has the answer, and the others are stopped and heard no more")
  mutating func sends() {
    _ = (race.requestArrived(), race.waited(after: 1), race.waited(after: 2))
    #expect(race.sent(by: 2) == [1, 3])
    #expect(race.sent(by: 2) == [])
    #expect(race.sent(by: 1) == nil)
    #expect(race.ended(1, failed: true, isStopped: false) == .continues)
    #expect(race.ended(3, failed: false, isStopped: false) == .continues)
    #expect(race.ended(2, failed: true, isStopped: false) == .isOver)
  }

  @Test("the first that returns has the answer, also without having sent anything")
  mutating func returns() {
    _ = (race.requestArrived(), race.waited(after: 1))
    #expect(race.ended(2, failed: false, isStopped: false) == .isOver)
    #expect(race.sent(by: 1) == nil)
    #expect(race.waited(after: 2) == nil)
    #expect(race.ended(1, failed: false, isStopped: false) == .continues)
  }

  @Test("after a failure the next begins at once, unless others are in progress")
  mutating func fails() {
    #expect(race.requestArrived() == 1)
    #expect(race.ended(1, failed: true, isStopped: false) == .begins(2))
    #expect(race.waited(after: 1) == nil)
    #expect(race.waited(after: 2) == 3)
    #expect(race.ended(2, failed: true, isStopped: false) == .continues)
    #expect(race.sent(by: 2) == nil)
    #expect(race.ended(3, failed: true, isStopped: false) == .isOver)
  }

  @Test("a run that is stopped begins no further attempt")
  mutating func stopped() {
    #expect(race.requestArrived() == 1)
    #expect(race.ended(1, failed: true, isStopped: true) == .isOver)
  }

  @Test("a run that nothing helps is one attempt")
  func alone() {
    var race = HedgeRace(attempts: 1)
    #expect(race.requestArrived() == 1)
    #expect(race.waited(after: 1) == nil)
    #expect(race.ended(1, failed: true, isStopped: false) == .isOver)
  }
}
