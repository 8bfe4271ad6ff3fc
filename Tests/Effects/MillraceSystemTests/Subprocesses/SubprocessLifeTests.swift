import Testing

@testable import MillraceSystem

@Suite struct SubprocessLifeTests {
  private var life = SubprocessLife()

  @Test("a process that ends and leaves nothing behind has its group closed at once")
  mutating func plain() {
    #expect(life.outputEnded() == [])
    #expect(life.exited() == [.killGroup])
  }

  @Test("what a process leaves behind has the grace period to end")
  mutating func leftBehind() {
    #expect(life.exited() == [.terminateGroup, .startGrace])
    #expect(life.outputEnded() == [.killGroup])
    #expect(life.gracePassed() == [])
  }

  @Test("what does not end in the grace period is killed, once")
  mutating func stubborn() {
    #expect(life.cancelled() == [.terminateGroup, .startGrace])
    #expect(life.gracePassed() == [.killGroup])
    #expect(life.exited() == [])
    #expect(life.outputEnded() == [])
  }

  @Test("whatever asks it to end, it is asked once")
  mutating func once() {
    #expect(life.outputLimitReached() == [.terminateGroup, .startGrace])
    #expect(life.cancelled() == [])
    #expect(life.outputLimitReached() == [])
    #expect(life.exited() == [])
    #expect(life.outputEnded() == [.killGroup])
    #expect(life.cancelled() == [])
  }

  @Test("a process that is cancelled and ends is not waited for by the clock")
  mutating func obedient() {
    #expect(life.cancelled() == [.terminateGroup, .startGrace])
    #expect(life.outputEnded() == [])
    #expect(life.exited() == [.killGroup])
  }
}
